"""Molecule-like regression on padded graphs."""
import torch
from torch import nn

from fixed_data import Data


class MPNN(nn.Module):
    def __init__(self, inp=5, hidden=32):
        super().__init__()
        self.embed = nn.Linear(inp, hidden)
        self.message = nn.Linear(hidden, hidden)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, data):
        h = torch.relu(self.embed(data.x))
        for _ in range(2):
            h = torch.relu(h + self.message(data.adj @ h))
        return self.readout(h.sum(1)).squeeze(1)


def molecule(atoms=24):
    adj = (torch.rand(atoms, atoms) < 0.15).float()
    adj = ((adj + adj.T) > 0).float()
    x = torch.randn(atoms, 5)
    return {"x": x, "adj": adj, "y": (adj @ x)[:, 0].tanh().sum() / 4}


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = MPNN().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(160):
        batch = Data.collate([molecule() for _ in range(24)]).to(device)
        loss = (model(batch) - batch.y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
