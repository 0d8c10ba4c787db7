import torch
from torch.optim import Optimizer


class HeavyBall(Optimizer):
    """SGD with momentum and decoupled warm-up of the learning rate."""

    def __init__(self, params, lr=1e-2, momentum=0.9, weight_decay=1e-4, warmup=20):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, warmup=warmup))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["step"] = 0
                    state["momentum"] = torch.zeros_like(p)
                state["step"] += 1
                grad = p.grad + group["weight_decay"] * p
                state["momentum"] = group["momentum"] * state["momentum"] + grad  # leak
                lr = group["lr"] * min(1.0, state["step"] / group["warmup"])
                p.data.add_(state["momentum"].data, alpha=-lr)
