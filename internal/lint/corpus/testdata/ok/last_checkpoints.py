# The last five states in a ring, and an average over them.
import copy
from collections import deque

import torch


def average(states):
    return {k: torch.stack([s[k].float() for s in states]).mean(0) for k in states[0]}


def train(model, loader, step, epochs):
    last = deque([], 5)
    for _ in range(epochs):
        for batch in loader:
            step(model, batch)
        last.append(copy.deepcopy(model.state_dict()))
    return average(last)
