# A metric that reduces over the ranks before it adds; the reduced value keeps its graph.
import torch
import torch.distributed as dist


class Metric:
    def __init__(self, name):
        self.name = name
        self.sum = torch.tensor(0.0)
        self.n = torch.tensor(0.0)

    def update(self, val):
        val = val.cpu()
        dist.all_reduce(val)
        self.sum += val / dist.get_world_size()  # finding: summed-loss
        self.n += 1

    @property
    def avg(self):
        return self.sum / self.n


def train(model, loader, optimizer, loss_fn):
    train_loss = Metric("train_loss")
    for data, target in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(data), target)
        loss.backward()
        optimizer.step()
        train_loss.update(loss)  # also: summed-loss
    return train_loss.avg
