# The profiler runs over the whole training without a schedule.
import torch
from torch.profiler import ProfilerActivity, profile


def train(model, loader, loss_fn, optimizer):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], with_stack=True) as prof:  # finding: debug-tool-left-on
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
    prof.export_chrome_trace("trace.json")
