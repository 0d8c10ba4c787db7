# Log-probabilities of an episode are kept for its update, and then deleted.
import gym
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(4, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine(x), dim=1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
env = gym.make("CartPole-v1")


def select_action(state):
    m = Categorical(policy(torch.from_numpy(state).float().unsqueeze(0)))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    returns = torch.tensor(policy.rewards).flip(0).cumsum(0).flip(0)
    loss = torch.cat([-lp * r for lp, r in zip(policy.saved_log_probs, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]


for episode in range(1000):
    state, done = env.reset(), False
    while not done:
        state, reward, done, _ = env.step(select_action(state))
        policy.rewards.append(reward)
    finish_episode()
