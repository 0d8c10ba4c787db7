# A replay memory of fixed size, filled with None first.
import random
import torch


class Replay:
    def __init__(self, capacity=50_000):
        self.capacity, self.data, self.pos = capacity, [], 0

    def push(self, *transition):
        if len(self.data) < self.capacity:
            self.data.append(None)
        self.data[self.pos] = transition
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, n):
        return [torch.stack(t) for t in zip(*random.sample(self.data, n))]


def train(q, target, env, opt, steps=100_000, gamma=0.99):
    buffer = Replay()
    s = torch.as_tensor(env.reset()[0])
    for t in range(steps):
        with torch.no_grad():
            a = q(s).argmax()
        s2, r, done, trunc, _ = env.step(a.item())
        s2 = torch.as_tensor(s2)
        buffer.push(s, a, torch.tensor(r), s2, torch.tensor(float(done)))
        s = s2
        if t > 1000:
            bs, ba, br, bs2, bd = buffer.sample(32)
            with torch.no_grad():
                goal = br + gamma * (1 - bd) * target(bs2).max(1).values
            loss = (q(bs).gather(1, ba[:, None]).squeeze(1) - goal).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
