# Priorities of a replay buffer are errors with their graphs.
import torch


class PERBuffer:
    def __init__(self):
        self.data = []
        self.prios = []

    def push(self, transition, td_error):
        self.data.append(transition)
        self.prios.append(td_error)  # finding: kept-loss|kept-output

    def sample(self, n):
        p = torch.tensor([float(x) for x in self.prios])
        idx = torch.multinomial(p, n)
        return [self.data[i] for i in idx]


def train(q, target, env, opt, steps=100_000, gamma=0.99):
    buffer = PERBuffer()
    s, _ = env.reset()
    for t in range(steps):
        a = q(torch.as_tensor(s)).argmax().item()
        s2, r, done, trunc, _ = env.step(a)
        value = q(torch.as_tensor(s))[a]
        with torch.no_grad():
            goal = r + gamma * (1 - done) * target(torch.as_tensor(s2)).max()
        td = (goal - value).abs()
        buffer.push((s, a, r, s2, done), td)
        loss = td.pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s = s2 if not (done or trunc) else env.reset()[0]
