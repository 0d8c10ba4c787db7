# A ring buffer over a list: entries are overwritten once it is full.
import random

import torch


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []
        self.position = 0

    def push(self, state, reward):
        if len(self.items) < self.capacity:
            self.items.append(None)
        self.items[self.position] = (state.detach(), reward)
        self.position = (self.position + 1) % self.capacity

    def sample(self, n):
        states, rewards = zip(*random.sample(self.items, n))
        return torch.stack(states), torch.tensor(rewards)


def train(env, critic, optimizer, steps):
    memory = Memory(50000)
    for _ in range(steps):
        state, reward = env.observe()
        memory.push(torch.as_tensor(state), reward)
        if len(memory.items) > 256:
            s, r = memory.sample(256)
            loss = (critic(s).squeeze(-1) - r).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
