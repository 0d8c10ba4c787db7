# A helper that averages over a subset makes its group on every call.
import torch
import torch.distributed


def subset_mean(tensor, ranks):
    group = torch.distributed.new_group(ranks=ranks, backend="gloo")  # finding: process-group-per-step
    torch.distributed.all_reduce(tensor, group=group)
    return tensor / len(ranks)


def train(model, loader, loss_fn, optimizer, ranks):
    for x, y in loader:
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = subset_mean(loss.detach().clone(), ranks)  # also: process-group-per-step
        print(mean.item())
