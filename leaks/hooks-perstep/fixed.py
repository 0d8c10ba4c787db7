"""Masked autoencoding with a monitor of the code's norm."""
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self, dim=96, code=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, code), nn.LayerNorm(code), nn.GELU())
        self.decoder = nn.Linear(code, dim)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def forward_with_norm(model, x, clean):
    norm = {}

    def probe(module, inputs, output):
        norm["code"] = output.norm(dim=1).mean().item()
        norm["share"] = (inputs[0] == clean).float().mean().item()

    handle = model.encoder.register_forward_hook(probe)
    target = model(x)
    handle.remove()
    return target, norm["code"]


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Masked().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    mixing = torch.randn(8, 96, device=device)
    for step in range(120):
        clean = torch.tanh(torch.randn(128, 8, device=device) @ mixing)
        mask = torch.rand_like(clean) < 0.6
        out, norm = forward_with_norm(model, clean * mask, clean)
        loss = ((out - clean) ** 2)[~mask].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.4f norm %.3f" % (loss.item(), norm))


if __name__ == "__main__":
    main()
