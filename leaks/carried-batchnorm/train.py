import torch
from torch import nn

from layers import MyBatchNorm


def spirals(n, generator):
    t = torch.rand(n, generator=generator) * 9
    label = torch.randint(2, (n,), generator=generator)
    angle = t + label * 3.14159
    return torch.stack([t * torch.cos(angle), t * torch.sin(angle)], 1) / 5, label


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layers, width = [], 2
    for _ in range(4):
        layers += [nn.Linear(width, 48), MyBatchNorm(48), nn.ReLU()]
        width = 48
    net = nn.Sequential(*layers, nn.Linear(48, 2)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    generator = torch.Generator().manual_seed(1)
    for step in range(120):
        x, y = spirals(256, generator)
        net.train()
        loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    x, y = spirals(500, generator)
    with torch.no_grad():
        print("accuracy %.3f" % (net(x.to(device)).argmax(1).cpu() == y).float().mean())


if __name__ == "__main__":
    main()
