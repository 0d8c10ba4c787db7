# Hooks in a loop over the modules, once in the constructor.
import torch
from torch import nn


class Instrumented(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.seen = {}
        self.handles = []
        for name, module in net.named_modules():
            if isinstance(module, nn.Conv2d):
                handle = module.register_forward_hook(self._hook(name))
                self.handles.append(handle)

    def _hook(self, name):
        def hook(module, args, out):
            self.seen[name] = tuple(out.shape)

        return hook

    def forward(self, x):
        return self.net(x)
