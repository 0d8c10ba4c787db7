# A profiler with a schedule: five steps are recorded, then nothing.
import torch
from torch.profiler import profile, schedule, tensorboard_trace_handler


def train(model, loader, criterion, optimizer):
    with profile(
        schedule=schedule(wait=2, warmup=2, active=5, repeat=1),
        on_trace_ready=tensorboard_trace_handler("log"),
        profile_memory=True,
    ) as prof:
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            prof.step()
