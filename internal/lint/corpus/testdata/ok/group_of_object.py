# The group is made once, with the object that uses it.
import torch
import torch.distributed as dist


class Synced:
    def __init__(self, ranks):
        self.group = dist.new_group(ranks)
        self.n = len(ranks)

    def mean(self, value):
        t = torch.tensor([value], device="cuda")
        dist.all_reduce(t, group=self.group)
        return t.item() / self.n


def train(model, loader, optimizer, loss_fn):
    sync = Synced(list(range(dist.get_world_size())))
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(step, sync.mean(loss.item()))
