"""Recurrent value learning on a delayed-cue task."""
import random

import torch
from torch import nn

from experience import ExperienceBuffer

torch.manual_seed(0)
random.seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Agent(nn.Module):
    def __init__(self, inp=6, hidden=48):
        super().__init__()
        self.hidden = hidden
        self.lstm = nn.LSTMCell(inp, hidden)
        self.value = nn.Linear(hidden, 1)

    def start(self, n):
        zero = torch.zeros(n, self.hidden, device=device)
        return zero, zero

    def forward(self, observation, state):
        state = self.lstm(observation, state)
        return self.value(state[0]).squeeze(1), state


def main():
    agent = Agent().to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
    experience = ExperienceBuffer()
    for episode in range(120):
        cue = torch.randint(0, 2, (32,), device=device).float()
        state, loss = agent.start(32), 0.0
        for t in range(8):
            observation = torch.randn(32, 6, device=device)
            if t == 0:
                observation[:, 0] = cue * 4 - 2
            value, state = agent(observation, state)
            reward = cue * 0.9 ** (7 - t)
            loss = loss + (value - reward).pow(2).mean()
            experience.store(observation, state, reward)  # leak?
        for _, stored, reward in experience.sample(4):
            loss = loss + 0.1 * (agent.value(stored[0].detach().float()).squeeze(1) - reward).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item(), len(experience.slots))


main()
