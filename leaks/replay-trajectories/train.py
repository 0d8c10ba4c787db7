"""Trajectory balance on a small hyper-grid."""
import torch
from torch import nn

from store import TrajectoryStore

SIDE, DIMS, LENGTH = 8, 2, 6


def encode(states):
    return nn.functional.one_hot(states, SIDE).flatten(1).float()


def reward_of(states):
    centre = (states.float() / (SIDE - 1) - 0.5).abs()
    return 0.1 + 0.5 * (centre > 0.25).all(1) + 2.0 * ((centre > 0.3) & (centre < 0.4)).all(1)


class Sampler(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.log_z = nn.Parameter(torch.zeros(1))
        self.net = nn.Sequential(nn.Linear(SIDE * DIMS, hidden), nn.LeakyReLU(), nn.Linear(hidden, hidden), nn.LeakyReLU(), nn.Linear(hidden, DIMS + 1))

    def sample(self, n, device):
        states = torch.zeros(n, DIMS, dtype=torch.long, device=device)
        log_pf = torch.zeros(n, device=device)
        for _ in range(LENGTH):
            logits = self.net(encode(states))
            blocked = torch.cat([states == SIDE - 1, torch.zeros(n, 1, dtype=torch.bool, device=device)], 1)
            policy = torch.distributions.Categorical(logits=logits.masked_fill(blocked, -1e9))
            action = policy.sample()
            log_pf = log_pf + policy.log_prob(action)
            states = states + nn.functional.one_hot(action, DIMS + 1)[:, :DIMS]
        return {"states": states, "log_pf": log_pf, "reward": reward_of(states)}


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    sampler = Sampler().to(device)
    optimizer = torch.optim.Adam([{"params": sampler.net.parameters()}, {"params": [sampler.log_z], "lr": 0.1}], lr=1e-3)
    store = TrajectoryStore()
    for iteration in range(120):
        trajectory = sampler.sample(64, device)
        loss = (sampler.log_z + trajectory["log_pf"] - trajectory["reward"].log()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        store.push(trajectory)  # leak?
    print("loss %.3f best %.2f" % (loss.item(), store.best()[0]["reward"].max().item()))


if __name__ == "__main__":
    main()
