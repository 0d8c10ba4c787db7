"""Continual learning: a fresh low-rank adapter for each task of four steps."""
import torch
from torch import nn


class AdaptedLinear(nn.Module):
    def __init__(self, inp, out, rank=8):
        super().__init__()
        self.rank = rank
        self.base = nn.Linear(inp, out)
        self.base.requires_grad_(False)
        self.adapters = nn.ModuleDict()
        self.active = None

    def load_adapter(self, name, device):
        pair = nn.Sequential(nn.Linear(self.base.in_features, self.rank, bias=False), nn.Linear(self.rank, self.base.out_features, bias=False))
        nn.init.zeros_(pair[1].weight)
        self.adapters[name] = pair.to(device)
        self.active = name

    def forward(self, x):
        y = self.base(x)
        if self.active is not None:
            y = y + self.adapters[self.active](x)
        return y


class Model(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.layer1, self.layer2 = AdaptedLinear(dim, dim), AdaptedLinear(dim, dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, x):
        return self.head(torch.relu(self.layer2(torch.relu(self.layer1(x)))))

    def load_adapter(self, name, device):
        for layer in (self.layer1, self.layer2):
            layer.load_adapter(name, device)


def main(tasks=40, steps=4):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Model().to(device)
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.02)
    for number in range(tasks):
        name = "adapter_%d" % (number % 2)
        optimizer.state.clear()
        model.load_adapter(name, device)
        active = [p for layer in (model.layer1, model.layer2) for p in layer.adapters[name].parameters()]
        optimizer.param_groups[0]["params"] = list(model.head.parameters()) + active
        rule = torch.randn(64, 1, device=device) / 8
        for _ in range(steps):
            x = torch.randn(128, 64, device=device)
            loss = (model(x) - x @ rule).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.3f" % loss.item())


main()
