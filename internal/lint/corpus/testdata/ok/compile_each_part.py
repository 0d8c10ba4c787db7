# A trainer sets its callbacks up one by one; its own set-up of the same name compiles its parts once.
import torch


class Trainer:
    def __init__(self, parts, callbacks):
        self.parts = parts
        self.callbacks = callbacks
        self.ready = {}

    def set_up_callbacks(self, sample):
        ready = []
        for name, callback in self.callbacks():
            if isinstance(callback, type):
                callback = callback(**sample)
            callback.initialize()
            callback.net.eval()
            callback.net(sample)
            ready.append((name, callback))
        self.callbacks_ = ready

    def initialize(self):
        for name in self.parts:
            module = getattr(self, name)
            if isinstance(module, torch.nn.Module):
                module = self.compiled(module)
                setattr(self, name, module)
        return self

    def compiled(self, module):
        return torch.compile(module)
