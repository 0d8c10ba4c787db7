"""Neural multidimensional scaling: distances in the plane follow those in space."""
import argparse

import torch
from torch import nn

from fixed_geometry import spread, stress

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=120)
parser.add_argument("--points", type=int, default=48)
args = parser.parse_args()

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for step in range(args.steps):
    cloud = torch.randn(4, args.points, 5, device=device)
    loss = stress(net(cloud), cloud) / spread(cloud)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("stress %.3f" % loss.item())
