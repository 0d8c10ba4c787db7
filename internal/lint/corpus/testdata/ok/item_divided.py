# Rewards of learned simulators, averaged as numbers.
import torch


def main(task, policy, optimizer, iterations, batch=20):
    all_rewards = []
    for iteration in range(iterations):
        iteration_reward = 0.0
        loss = 0.0
        for episode in task.sample(batch):
            replay = task.run(policy, episode)
            loss = loss - replay.log_prob().sum()
            iteration_reward += replay.reward().sum().item() / batch
        adaptation_reward = iteration_reward / batch
        all_rewards.append(adaptation_reward)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(iteration, adaptation_reward)
    return all_rewards
