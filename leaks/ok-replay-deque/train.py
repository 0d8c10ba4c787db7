"""Actor on random walks with a bounded replay deque."""
import random
from collections import deque

import torch
from torch import nn


class Walk:
    def __init__(self):
        self.reset()

    def reset(self):
        self.x = torch.zeros(24)
        return self.x

    def step(self, action):
        self.x = self.x * 0.9 + torch.randn(24) * 0.1 + (action - 1) * 0.05
        return self.x, -self.x.abs().sum().item()


def main(updates=200, per_update=16):
    random.seed(0)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 3)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    env, memory = Walk(), deque(maxlen=1500)
    observation = env.reset()
    for update in range(updates):
        for _ in range(per_update):
            action = random.randrange(3)
            following, reward = env.step(action)
            memory.append((observation, action, reward, following))
            observation = following
        batch = random.sample(memory, min(len(memory), 64))
        s, a, r, n = zip(*batch)
        s, n = torch.stack(s).to(device), torch.stack(n).to(device)
        with torch.no_grad():
            target = torch.tensor(r, device=device) + 0.95 * net(n).max(1).values
        loss = nn.functional.smooth_l1_loss(net(s).gather(1, torch.tensor(a, device=device)[:, None]).squeeze(1), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f memory %d" % (loss.item(), len(memory)))


if __name__ == "__main__":
    main()
