# The hook keeps the newest activation of each layer, and no other.
import torch
from torch import nn


class Features:
    def __init__(self, model: nn.Module, names):
        self.latest = {}
        for name, module in model.named_modules():
            if name in names:
                module.register_forward_hook(self.hook(name))

    def hook(self, name):
        def save(module, args, output):
            self.latest[name] = output

        return save


def train(model, teacher, loader, optimizer, names):
    student_features, teacher_features = Features(model, names), Features(teacher, names)
    for x in loader:
        with torch.no_grad():
            teacher(x)
        model(x)
        loss = sum(
            nn.functional.mse_loss(student_features.latest[n], teacher_features.latest[n]) for n in names
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
