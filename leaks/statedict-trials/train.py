"""Learning rate search with a dozen steps a trial."""
import torch
from torch import nn

from search import Study

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
rule = torch.randn(32, 4, device=device)


def objective(trial):
    model = nn.Sequential(nn.Linear(32, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 4)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=trial["lr"])
    trial["model"], trial["optimizer"] = model, optimizer  # leak?
    for _ in range(12):
        x = torch.randn(96, 32, device=device)
        loss = nn.functional.cross_entropy(model(x), (x @ rule).argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


study = Study()
study.optimize(objective, [10 ** (-4 + 0.15 * i) for i in range(20)])
print("best lr %.5f, loss %.3f" % (study.best["lr"], study.best["value"]))
