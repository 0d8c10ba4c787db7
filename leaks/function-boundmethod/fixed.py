import torch
from torch import nn

from fixed_solver import FixedPoint


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encode, decode = nn.Linear(24, 48).to(device), nn.Linear(48, 24).to(device)
    parameters = list(encode.parameters()) + list(decode.parameters())
    optimizer = torch.optim.Adam(parameters, lr=2e-3)
    coupling = torch.randn(48, 48, device=device) * 0.05
    for step in range(120):
        x = torch.randn(96, 24, device=device)
        problem = FixedPoint(coupling + 0.01 * torch.randn_like(coupling))
        problem.solve(encode(x).detach())
        hidden = problem.solve(encode(x))
        loss = (decode(hidden) - x.roll(1, 1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
