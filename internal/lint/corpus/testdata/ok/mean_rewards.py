# Averages of rewards and of losses for a plot: one number each time.
import numpy as np
import torch


def train_one(rnn, criterion, optimizer, x, y):
    hidden = rnn.init_hidden()
    for i in range(x.size(0)):
        output, hidden = rnn(x[i], hidden)
    loss = criterion(output, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return output, loss.item()


def main(rnn, criterion, optimizer, samples, env, play, plot_every=1000):
    current_loss, all_losses, test_rewards = 0, [], []
    for epoch, (x, y) in enumerate(samples):
        output, loss = train_one(rnn, criterion, optimizer, x, y)
        current_loss += loss
        if epoch % plot_every == 0:
            all_losses.append(current_loss / plot_every)
            test_rewards.append(np.mean([play(env, rnn) for _ in range(10)]))
            current_loss = 0
    return all_losses, test_rewards
