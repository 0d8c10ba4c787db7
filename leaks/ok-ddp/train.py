"""Two processes train one model and average their gradients over gloo."""
import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, world, store, steps=240, batch_size=16):
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=world)
    torch.manual_seed(rank)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 4)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    seen = torch.zeros(1)
    for step in range(steps):
        x = torch.randn(batch_size, 64)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        seen += total.item() / world
    if rank == 0:
        print("mean loss %.3f" % (seen.item() / steps))
    dist.destroy_process_group()


def main(world=2):
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(train, args=(world, os.path.join(folder, "store")), nprocs=world)


if __name__ == "__main__":
    main()
