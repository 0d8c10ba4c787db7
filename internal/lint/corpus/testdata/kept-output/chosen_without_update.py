# A policy keeps the log probability of every action, and nothing in sight trains on them or empties the list.
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
        self.log_probs.append(dist.log_prob(a))  # finding: kept-loss|kept-output
        return a.item()
