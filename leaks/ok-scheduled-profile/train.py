"""Profiles five steps only."""
import torch
from torch import nn
from torch.autograd import profiler

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.LSTM(16, 32, batch_first=True).to(device)
head = nn.Linear(32, 1).to(device)
optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=2e-3)


def step():
    x = torch.randn(16, 12, 16, device=device)
    loss = (head(model(x)[0][:, -1]) - x.mean((1, 2))[:, None]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for i in range(20):
    step()
with profiler.profile() as prof:
    for i in range(5):
        step()
events = len(prof.function_events)
del prof
for i in range(115):
    loss = step()
print("loss %.4f, %d events" % (loss, events))
