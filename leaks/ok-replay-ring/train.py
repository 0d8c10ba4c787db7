"""Q-learning on a chain with a ring of preallocated tensors."""
import torch
from torch import nn


class Replay:
    def __init__(self, capacity, width):
        self.state = torch.empty(capacity, width)
        self.action = torch.empty(capacity, dtype=torch.long)
        self.reward = torch.empty(capacity)
        self.after = torch.empty(capacity, width)
        self.capacity, self.count = capacity, 0

    def push(self, state, action, reward, after):
        for row in zip(state, action, reward, after):
            i = self.count % self.capacity
            self.state[i], self.action[i], self.reward[i], self.after[i] = row
            self.count += 1

    def sample(self, n):
        i = torch.randint(0, min(self.count, self.capacity), (n,))
        return self.state[i], self.action[i], self.reward[i], self.after[i]


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    q = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.RMSprop(q.parameters(), lr=1e-3)
    memory = Replay(20_000, 64)
    state = torch.randn(16, 64)
    for step in range(160):
        with torch.no_grad():
            action = q(state.to(device)).argmax(1).cpu()
        after = state.roll(1, 1) + 0.1 * torch.randn_like(state)
        memory.push(state, action, after[:, 0] * (action - 1).float(), after)
        state = after
        s, a, r, n = (t.to(device) for t in memory.sample(64))
        with torch.no_grad():
            target = r + 0.9 * q(n).max(1).values
        loss = (q(s).gather(1, a[:, None]).squeeze(1) - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
