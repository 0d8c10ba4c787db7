"""Proximal policy optimisation in short."""
import torch
from torch import nn


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.obs, self.actions, self.logps, self.rewards = [], [], [], []


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 48), nn.Tanh())
        self.pi, self.v = nn.Linear(48, 3), nn.Linear(48, 1)

    def forward(self, obs):
        h = self.body(obs)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    policy, rollout = Policy().to(device), Rollout()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    obs = torch.randn(16, 8, device=device)
    for update in range(80):
        with torch.no_grad():
            for _ in range(8):
                pi, _ = policy(obs)
                action = pi.sample()
                rollout.obs.append(obs)
                rollout.actions.append(action)
                rollout.logps.append(pi.log_prob(action))
                obs = 0.9 * obs + 0.1 * torch.randn_like(obs) + 0.1 * (action[:, None] - 1)
                rollout.rewards.append(-obs.abs().mean(1))
        o, a, lp, r = (torch.stack(x) for x in (rollout.obs, rollout.actions, rollout.logps, rollout.rewards))
        for _ in range(2):
            pi, value = policy(o)
            advantage = (r - value).detach()
            ratio = (pi.log_prob(a) - lp).exp()
            loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean() + (r - value).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        rollout.clear()
    print("reward %.3f" % r.mean().item())


main()
