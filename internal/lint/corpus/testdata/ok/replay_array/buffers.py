# A replay buffer over arrays of fixed size, written at a position that goes round.
import numpy as np
import torch


class ReplayBuffer:
    def __init__(self, size, shape):
        self.size = size
        self.pos = 0
        self.full = False
        self.observations = np.zeros((size, *shape), dtype=np.float32)
        self.rewards = torch.zeros(size)

    def add(self, obs, reward):
        self.observations[self.pos] = np.array(obs)
        self.rewards[self.pos] = reward
        self.pos += 1
        if self.pos == self.size:
            self.full = True
            self.pos = 0

    def sample(self, n):
        upper = self.size if self.full else self.pos
        index = np.random.randint(0, upper, size=n)
        return torch.from_numpy(self.observations[index]), self.rewards[index]
