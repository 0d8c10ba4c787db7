# Distributed training with no_sync; the reduced loss is detached and cloned first.
import contextlib
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(model, loader, criterion, accumulate=4):
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    model = DDP(model.to(device), device_ids=[device])
    optimizer = torch.optim.AdamW(model.parameters())
    means = []
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accumulate == 0
        with contextlib.nullcontext() if last else model.no_sync():
            loss = criterion(model(x.to(device)), y.to(device)) / accumulate
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
        shown = loss.detach().clone()
        dist.all_reduce(shown)
        means.append(shown.item() / dist.get_world_size())
    dist.destroy_process_group()
