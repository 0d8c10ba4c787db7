# The hook is an object with __call__; its captured tensors have graphs.
import torch


class Capture:
    def __init__(self, every=1):
        self.every = every
        self.calls = 0
        self.tensors = []

    def __call__(self, module, inputs, output):
        self.calls += 1
        if self.calls % self.every == 0:
            hidden = output[0] if isinstance(output, tuple) else output
            self.tensors.append(hidden)  # finding: kept-activation


def train(model, loader, optimizer):
    capture = Capture()
    model.transformer.h[-1].register_forward_hook(capture)
    for ids in loader:
        loss = model(ids, labels=ids).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
