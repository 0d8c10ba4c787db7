# A replay memory that is a list: transitions come in and never go.
import random

import torch


class ReplayMemory:
    def __init__(self):
        self.memory = []

    def push(self, state, action, next_state, reward):
        self.memory.append((state, action, next_state, reward))  # finding: kept-batch

    def sample(self, n):
        return random.sample(self.memory, n)


def train(env, q_net, optimizer, steps):
    memory = ReplayMemory()
    state = torch.tensor(env.reset())
    for step in range(steps):
        with torch.no_grad():
            action = q_net(state).argmax()
        obs, reward, done, _ = env.step(action.item())
        next_state = torch.tensor(obs)
        memory.push(state, action, next_state, torch.tensor([reward]))
        state = torch.tensor(env.reset()) if done else next_state
        if step > 128:
            s, a, s2, r = map(torch.stack, zip(*memory.sample(32)))
            loss = (q_net(s).gather(1, a[:, None]) - r).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
