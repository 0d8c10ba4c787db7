# Log probabilities are appended to the policy in each step and nothing empties them.
import torch
from torch.distributions import Categorical


class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)
        self.log_probs = []
        self.rewards = []

    def forward(self, x):
        return self.fc(x).softmax(-1)


def select(policy, state):
    dist = Categorical(policy(state))
    action = dist.sample()
    policy.log_probs.append(dist.log_prob(action))  # finding: kept-loss|kept-output
    return action.item()


def finish(policy, opt, returns):
    loss = sum(-lp * r for lp, r in zip(policy.log_probs[-len(returns):], returns))
    opt.zero_grad()
    loss.backward()
    opt.step()


def main(env):
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters())
    for episode in range(1000):
        state, done, rewards = env.reset(), False, []
        while not done:
            state, r, done = env.step(select(policy, torch.tensor(state)))
            rewards.append(r)
        finish(policy, opt, rewards)
