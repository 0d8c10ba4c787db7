# The hook detaches, and its list still grows by one feature map a step.
import torch


class FeatureWatcher:
    def __init__(self, model, layer):
        self.outputs = []
        self.handle = getattr(model, layer).register_forward_hook(self._save)

    def _save(self, module, args, output):
        self.outputs.append(output.detach())  # finding: kept-activation

    def mean(self):
        return torch.stack([o.mean() for o in self.outputs]).mean()


def train(model, loader, loss_fn, optimizer):
    watcher = FeatureWatcher(model, "encoder")
    for x, y in loader:
        loss_fn(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    return watcher.mean()
