# A policy keeps log probabilities until its update, which begins a new list.
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        self.log_probs = []
        self.rewards = []

    def act(self, state):
        dist = Categorical(logits=self.net(state))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))
        return a.item()

    def update(self, opt):
        loss = -torch.stack(self.log_probs).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        self.log_probs = []
