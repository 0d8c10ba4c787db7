# Whole trajectories with their tensors are appended to a buffer without a bound.
from collections import namedtuple

import torch

Step = namedtuple("Step", "obs action reward value")


class Buffer:
    trajectories = []

    @classmethod
    def add(cls, steps):
        cls.trajectories.append(steps)  # finding: kept-batch


def play(env, net, horizon=200):
    steps = []
    obs = torch.from_numpy(env.reset()).float()
    for _ in range(horizon):
        with torch.no_grad():
            logits, value = net(obs)
        action = torch.distributions.Categorical(logits=logits).sample()
        nxt, reward, done, _ = env.step(int(action))
        steps.append(Step(obs, action, reward, value))
        obs = torch.from_numpy(nxt).float()
        if done:
            break
    return steps


def collect(env, net, episodes):
    for _ in range(episodes):
        Buffer.add(play(env, net))
