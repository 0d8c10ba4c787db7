"""Advantage actor-critic on a point-mass task."""
import torch
from torch import nn


class PointMass:
    """A point on a line is pushed towards the origin."""

    def __init__(self, n, device):
        self.n, self.device = n, device

    def reset(self):
        self.state = torch.randn(self.n, 2, device=self.device)
        return self.state

    def step(self, action):
        position, velocity = self.state.unbind(1)
        velocity = 0.95 * velocity + 0.1 * (action.float() - 1)
        self.state = torch.stack([position + 0.1 * velocity, velocity], 1)
        return self.state, -position.abs()


class Policy(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return self.pi(h), self.v(h).squeeze(-1)

    def act(self, obs):
        logits, value = self(obs)  # leak?
        return torch.distributions.Categorical(logits=logits).sample(), value


class Collector:
    def __init__(self, env, policy):
        self.env, self.policy = env, policy
        self.episodes = []

    def collect(self, horizon=8):
        observation = self.env.reset()
        steps = []
        for _ in range(horizon):
            action, value = self.policy.act(observation)  # leak?
            nxt, reward = self.env.step(action)
            steps.append((observation, action, reward, value))  # leak?
            observation = nxt
        self.episodes.append(steps)  # leak
        return [torch.stack(column) for column in zip(*steps)]


def returns(rewards, gamma=0.97):
    out, running = [], torch.zeros_like(rewards[0])
    for r in rewards.flip(0):
        running = r + gamma * running
        out.append(running)
    return torch.stack(out[::-1])


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    policy = Policy().to(device)
    collector = Collector(PointMass(16, device), policy)
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
    for update in range(120):
        obs, actions, rewards, values = collector.collect()
        target = returns(rewards)
        logits, v = policy(obs)
        logp = torch.distributions.Categorical(logits=logits).log_prob(actions)
        advantage = (target - values).detach()
        loss = -(logp * advantage).mean() + 0.5 * (target - v).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    last = collector.episodes[-1]
    print("episodes %d, last reward %.3f" % (len(collector.episodes), sum(r.mean().item() for _, _, r, _ in last)))


main()
