# A search builds a model in each round; its layers hook a part that they have just made.
import torch
from torch import nn


def clamp_hook(module, grad_input, grad_output):
    return tuple(None if g is None else g.clamp(-1, 1) for g in grad_input)


class ClampedNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.norm.register_full_backward_hook(clamp_hook)

    def forward(self, x):
        return self.norm(x)


def search(loader, dims):
    best = None
    for dim in dims:
        model = ClampedNorm(dim)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in loader:
            loss = model(x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        best = min(best or loss.item(), loss.item())
    return best
