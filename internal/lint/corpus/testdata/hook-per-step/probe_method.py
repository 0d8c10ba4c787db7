# A probe object is made for each evaluation and hooks the same model again.
import torch


class ActivationProbe:
    def __init__(self, model):
        self.stats = []
        for module in model.modules():
            if isinstance(module, torch.nn.ReLU):
                module.register_forward_hook(self.record)  # finding: hook-per-step

    def record(self, module, args, output):
        self.stats.append((output > 0).float().mean().item())


def train(model, loader, val_x, loss_fn, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            probe = ActivationProbe(model)  # also: hook-per-step
            with torch.no_grad():
                model(val_x)
            print(step, sum(probe.stats) / len(probe.stats))
