# Ranks with work left meet in a group that is made anew in each step.
import torch
import torch.distributed as dist


def train(model, loader, optimizer, loss_fn):
    dist.init_process_group("nccl")
    world = dist.get_world_size()
    for x, y in loader:
        active = dist.new_group(list(range(world)))  # finding: process-group-per-step
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        for p in model.parameters():
            dist.all_reduce(p.grad, group=active)
            p.grad /= world
        optimizer.step()
