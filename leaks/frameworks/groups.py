"""Two ranks under torchrun; every step makes a process group for its metrics and never destroys it.

On CUDA each group brings a communicator, hundreds of megabytes outside PyTorch's allocator.
"""
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel


def mean_over_ranks(value):
    group = dist.new_group(list(range(dist.get_world_size())))  # leak
    value = value.detach().clone()
    dist.all_reduce(value, group=group)
    return value.item() / dist.get_world_size()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=60)
    a = p.parse_args()
    cuda = torch.cuda.is_available()
    dist.init_process_group("nccl" if cuda else "gloo")
    local = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    torch.manual_seed(dist.get_rank())
    net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
    model = DistributedDataParallel(net, device_ids=[local] if cuda else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(a.steps):
        x = torch.randn(64, 256, device=device)
        y = torch.randint(0, 10, (64,), device=device)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean_over_ranks(loss)


if __name__ == "__main__":
    main()
