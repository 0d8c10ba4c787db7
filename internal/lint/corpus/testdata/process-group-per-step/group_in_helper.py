# A helper makes a group for each sum.
import torch
import torch.distributed as dist


def sync(metric, ranks):
    group = dist.new_group(ranks)  # finding: process-group-per-step
    t = torch.tensor([metric], device="cuda")
    dist.all_reduce(t, group=group)
    return t.item() / len(ranks)


def train(model, loader, optimizer, loss_fn):
    dist.init_process_group("nccl")
    ranks = list(range(dist.get_world_size()))
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print(step)
        mean = sync(loss.item(), ranks)
