# A buffer appends until its index begins anew; from then on entries are overwritten. An action is a part of an output.
import torch
from torch import nn, optim

policy = nn.Linear(4, 2)
optimizer = optim.Adam(policy.parameters())


class Replay:
    def __init__(self, size):
        self._storage = []
        self._size = size
        self._next = 0

    def push(self, *data):
        if self._next >= len(self._storage):
            self._storage.append(data)
        else:
            self._storage[self._next] = data
        self._next = (self._next + 1) % self._size


def act(state):
    return policy(torch.as_tensor(state)).max(1)[1].data[0]


buffer = Replay(10000)
for step in range(100000):
    state = torch.randn(1, 4)
    buffer.push(state, act(state))
    loss = policy(state).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
