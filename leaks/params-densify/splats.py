import torch
from torch import nn


class Splats:
    """Gaussian bumps on a line; weak ones are moved to where the error is."""

    def __init__(self, n, device):
        self.params = {
            "centre": nn.Parameter(torch.rand(n, 8, device=device)),
            "height": nn.Parameter(torch.zeros(n, 8, device=device)),
        }
        self.optimizer = torch.optim.Adam([{"params": [p], "name": k} for k, p in self.params.items()], lr=1e-2)

    def render(self, t):
        centre, height = self.params["centre"], self.params["height"]
        return (height[None] * torch.exp(-((t[:, None, None] - centre[None]) / 0.05) ** 2)).sum((1, 2))

    def replace(self, group, value):
        old = group["params"][0]
        state = self.optimizer.state[old]
        new = nn.Parameter(value.requires_grad_(True))
        self.optimizer.state[new] = {k: v.clone() for k, v in state.items()}  # leak
        group["params"][0] = new  # leak?
        self.params[group["name"]] = new

    @torch.no_grad()
    def densify(self, share=0.1):
        weak = self.params["height"].abs().sum(1).argsort()[:int(share * len(self.params["height"]))]
        for group in self.optimizer.param_groups:
            value = group["params"][0].detach().clone()
            value[weak] = torch.rand_like(value[weak]) if group["name"] == "centre" else 0.0
            self.replace(group, value)  # leak?
