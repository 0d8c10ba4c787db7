"""Deep Q-learning on a chain with prioritised replay."""
import random

import torch
from torch import nn

from replay import SumTree

N = 12


def features(states, device):
    return nn.functional.one_hot(torch.tensor(states), N).float().to(device)


def main(updates=120, batch=8):
    random.seed(0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    q = nn.Sequential(nn.Linear(N, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    optimizer = torch.optim.Adam(q.parameters(), lr=1e-3)
    memory = SumTree(64)
    state = 0
    for update in range(updates + 64):
        action = random.randrange(2)
        nxt = min(N - 1, state + 1) if action else 0
        memory.add((state, action, float(nxt == N - 1), nxt))
        state = 0 if nxt == N - 1 else nxt
        if update < 64:
            continue
        picks = [memory.sample() for _ in range(batch)]
        s, a, r, n = zip(*[memory.data[i] for i in picks])
        values = q(features(s, device)).gather(1, torch.tensor(a, device=device)[:, None]).squeeze(1)
        with torch.no_grad():
            target = torch.tensor(r, device=device) + 0.95 * q(features(n, device)).max(1).values
        error = (values - target).abs()
        loss = error.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for i, p in zip(picks, error + 1e-2):
            memory.update(i, p.item())
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
