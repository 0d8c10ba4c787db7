# A hook is registered when it is first needed, behind a flag.
import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, net, layer=-2):
        super().__init__()
        self.net = net
        self.layer = layer
        self.hidden = {}
        self.registered = False
        self.handle = None

    def _hook(self, module, args, output):
        self.hidden[args[0].device] = output.flatten(1)

    def _register_hook(self):
        layer = list(self.net.children())[self.layer]
        layer.register_forward_hook(self._hook)
        self.registered = True

    def embed(self, x):
        if not self.registered:
            self._register_hook()
        if self.handle is None:
            self.handle = self.net.register_forward_pre_hook(lambda m, a: None)
        self.net(x)
        return self.hidden.pop(x.device)

    def forward(self, x):
        return self.embed(x)
