"""Gradient accumulation with a schedule."""
import torch
from torch import nn

MICRO, STEPS = 8, 100
torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Embedding(64, 32), nn.Flatten(), nn.Linear(320, 48), nn.ReLU(), nn.Linear(48, 64)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 10))
for step in range(STEPS):
    total = 0.0
    for _ in range(MICRO):
        ids = torch.randint(0, 64, (16, 10), device=device)
        loss = nn.functional.cross_entropy(model(ids), ids[:, 0]) / MICRO
        loss.backward()
        total += loss.detach()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad(set_to_none=True)
print("loss %.3f" % total.item())
