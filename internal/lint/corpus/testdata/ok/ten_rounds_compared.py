# A test trains two models for ten rounds and compares their gradients.
import copy

import torch


def test_same_gradients(model, x):
    other = copy.deepcopy(model)
    expected, actual = [], []
    for iteration in range(10):
        model.zero_grad()
        model(x).norm(p=2).backward()
        expected.append([p.grad.clone().detach() for p in model.parameters()])
    for iteration in range(10):
        other.zero_grad()
        other(x).norm(p=2).backward()
        actual.append([p.grad.clone().detach() for p in other.parameters()])
    for a, b in zip(expected, actual):
        for p, q in zip(a, b):
            assert torch.equal(p, q)
