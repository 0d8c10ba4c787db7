# A policy keeps log probabilities until it is reset.
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 2)
        self.log_probs = []

    def reset(self):
        self.log_probs.clear()

    def act(self, state):
        dist = Categorical(logits=self.net(state))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))
        return a.item()
