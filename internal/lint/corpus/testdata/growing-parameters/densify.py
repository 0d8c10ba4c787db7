# Points are split by replacing the parameter; the optimizer keeps the old one and its state.
import torch
from torch import nn


class Points:
    def __init__(self, n):
        self.xyz = nn.Parameter(torch.rand(n, 3))
        self.optimizer = torch.optim.Adam([self.xyz], lr=1e-3)

    def densify(self, mask):
        fresh = self.xyz.detach()[mask] + 0.01 * torch.randn(int(mask.sum()), 3)
        self.xyz = nn.Parameter(torch.cat([self.xyz.detach(), fresh]))
        self.optimizer.add_param_group({"params": [self.xyz]})  # finding: growing-parameters


def train(points, render, views, every=100):
    for i, (camera, image) in enumerate(views):
        loss = (render(points.xyz, camera) - image).abs().mean()
        points.optimizer.zero_grad()
        loss.backward()
        points.optimizer.step()
        if i % every == 0:
            points.densify(points.xyz.grad.norm(dim=1) > 2e-4)
