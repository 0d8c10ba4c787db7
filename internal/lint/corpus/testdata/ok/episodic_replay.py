# A replay memory of episodes: a ring of lists.
import random
from collections import deque


class EpisodicReplay:
    def __init__(self, capacity, max_episode):
        self.episodes = capacity // max_episode
        self.buffer = deque(maxlen=self.episodes)
        self.buffer.append([])
        self.position = 0

    def push(self, state, action, policy, done):
        self.buffer[self.position].append((state, action, policy.detach()))
        if done:
            self.buffer.append([])
            self.position = min(self.position + 1, self.episodes - 1)

    def sample(self, n):
        return random.sample(list(self.buffer), n)


def train(env, model, optimizer, steps):
    replay = EpisodicReplay(10000, 200)
    state = env.reset()
    for _ in range(steps):
        policy, value = model(state)
        action = policy.multinomial(1).item()
        state, reward, done, _ = env.step(action)
        replay.push(state, action, policy, done)
        loss = (value - reward).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
