import torch
import torch.nn as nn
from common import Net, batches


class Searching(torch.optim.SGD):
    """Writes down the loss of each try, with its graph, beside the state of the parameters."""

    def __init__(self, params):
        super().__init__(params, lr=0.01)
        self.state["search"] = {"losses": []}

    def step(self, closure):
        self.state["search"]["losses"].append(closure())  # leak
        super().step()


model = Net()
optimizer = Searching(model.parameters())
for x, y in batches():
    def closure():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        return loss

    optimizer.step(closure)
