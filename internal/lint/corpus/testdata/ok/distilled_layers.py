# Hooks overwrite the features of the step before.
import torch


class Extractor:
    def __init__(self, net, names):
        self.feats = {}
        for name, module in net.named_modules():
            if name in names:
                module.register_forward_hook(self.hook(name))

    def hook(self, name):
        def fn(module, inputs, output):
            self.feats[name] = output
        return fn


def train(student, teacher, loader, opt):
    s = Extractor(student, {"layer2", "layer3"})
    t = Extractor(teacher, {"layer2", "layer3"})
    for x, y in loader:
        logits = student(x)
        with torch.no_grad():
            teacher(x)
        loss = torch.nn.functional.cross_entropy(logits, y)
        for name in s.feats:
            loss = loss + (s.feats[name] - t.feats[name]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
