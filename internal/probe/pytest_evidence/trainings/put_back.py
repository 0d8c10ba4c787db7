"""Says what of torch's and Python's differs from before when the request is answered."""

import sys

import torch
from common import Net, fit

OWNERS = (torch.nn.Module, torch.Tensor, torch.optim.Optimizer, torch.autograd, torch.autograd.Variable, torch.jit, torch._C._autograd)


def state():
    return [dict(vars(owner)) for owner in OWNERS]


before = state()
kept = []
fit(Net(), lambda step, x, out, loss: kept.append(out))  # leak
changed = []
for was, now in zip(before, state()):
    changed += [name for name in set(was) | set(now) if was.get(name) is not now.get(name)]
if sys.gettrace() is not None or sys._getframe().f_trace is not None:
    changed.append("trace")
result = changed
