# Code from before torch 0.4: data[0] of a loss was the way to its number.
import torch


def train(model, replay, optimizer, frames):
    losses, all_rewards = [], []
    for frame in range(frames):
        state, reward = replay.sample(32)
        loss = (model(state).max(1)[0] - reward).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.data[0])
        all_rewards.append(float(reward.mean()))
        if frame % 10000 == 0:
            print(frame, sum(all_rewards[-10:]) / 10, losses[-1])
