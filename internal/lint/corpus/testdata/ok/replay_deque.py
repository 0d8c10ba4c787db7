# A replay memory with a capacity.
import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


def train(env, policy_net, optimizer, steps):
    memory = ReplayMemory(10000)
    state = torch.tensor(env.reset()).float()
    for _ in range(steps):
        with torch.no_grad():
            action = policy_net(state).argmax()
        obs, reward, done, _ = env.step(action.item())
        nxt = torch.tensor(obs).float()
        memory.push(state, action, nxt, torch.tensor(reward))
        state = nxt
        if len(memory) >= 64:
            batch = Transition(*zip(*memory.sample(64)))
            q = policy_net(torch.stack(batch.state)).max(1).values
            loss = (q - torch.stack(batch.reward)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
