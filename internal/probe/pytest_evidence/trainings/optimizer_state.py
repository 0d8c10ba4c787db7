import torch
import torch.nn as nn
from common import Net, batches


class Momentum(torch.optim.SGD):
    """Decays its weights without no_grad, so that its momentum has a history."""

    def __init__(self, params):
        super().__init__(params, lr=0.01)

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["momentum"] = 0.9 * state.get("momentum", 0.0) + p.grad + 0.01 * p  # leak
                p.data.add_(state["momentum"].data, alpha=-group["lr"])
        super().step(closure)


model = Net()
optimizer = Momentum(model.parameters())
for x, y in batches():
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
