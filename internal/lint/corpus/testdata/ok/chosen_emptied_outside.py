# A policy keeps log probabilities until a function trains on them and deletes them.
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        self.log_probs = []

    def act(self, state):
        dist = Categorical(logits=self.net(state))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))
        return a.item()


def finish(policy, opt, returns):
    loss = sum(-p * r for p, r in zip(policy.log_probs, returns))
    opt.zero_grad()
    loss.backward()
    opt.step()
    del policy.log_probs[:]
