# The oldest loss is popped when the window is full.
import torch


def train(model, loader, opt, crit, sched):
    window = []
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append(loss)
        if len(window) > 100:
            window.pop(0)
    return torch.stack(window).mean()
