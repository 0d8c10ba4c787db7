# Two ways to write a ring over a list: by a length that is compared, and by a next index.
import numpy as np
import torch


class Replay:
    def __init__(self, max_size=100000):
        self.storage = []
        self.max_size = max_size
        self.ptr = 0

    def push(self, data):
        if len(self.storage) == self.max_size:
            self.storage[int(self.ptr)] = data
            self.ptr = (self.ptr + 1) % self.max_size
        else:
            self.storage.append(data)


class Indexed:
    def __init__(self, size):
        self._storage = []
        self._maxsize = size
        self._next = 0

    def push(self, state, action):
        data = (state, action)
        if self._next >= len(self._storage):
            self._storage.append(data)
        else:
            self._storage[self._next] = data
        self._next = (self._next + 1) % self._maxsize


def run(env, actor, steps):
    first, second = Replay(), Indexed(50000)
    state = np.asarray(env.reset())
    for _ in range(steps):
        with torch.no_grad():
            action = actor(torch.from_numpy(state)).numpy()
        nxt, reward, done, _ = env.step(action)
        first.push((state, nxt, action, reward, float(done)))
        second.push(torch.from_numpy(state), action)
        state = nxt
