# A forward in the place of the model's keeps its newest output.
import torch


def count(model):
    model.calls = 0
    original = model.forward

    def forward(*a, **k):
        model.calls += 1
        model.last = original(*a, **k)
        return model.last
    model.forward = forward


def train(model, loader, opt, crit):
    count(model)
    for x, y in loader:
        opt.zero_grad()
        crit(model(x), y).backward()
        opt.step()
