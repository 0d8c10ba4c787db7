"""Counts the tensors alive after a training in which one name is dropped in the middle of a function."""

import gc

import torch
from common import Net, fit


def count():
    gc.collect()
    return sum(type(item) is torch.Tensor for item in gc.get_objects())


def train():
    big = torch.zeros(64, 64)
    kept = []
    fit(Net(), lambda step, x, out, loss: kept.append(out.detach()), count=12)  # leak
    del big, kept
    inside = count()
    return inside


model_tensors = count()
result = [train() - model_tensors, count() - model_tensors]
