# A hook opens its record with the first entry; a hook that sums under no_grad has no graph to carry.
from functools import partial

import torch
from torch import nn


class Sums:
    def __init__(self):
        self.total = None

    @torch.no_grad()
    def __call__(self, module, inputs, output):
        self.total = output if self.total is None else self.total + output


def first(module, inputs, output, *, records):
    if not records:
        records.append(output)


def watch(model):
    records = []
    model.register_forward_hook(partial(first, records=records))
    model.register_forward_hook(Sums())
    return records


watch(nn.Linear(4, 4))
