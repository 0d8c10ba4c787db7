# Returns of a rollout, made without gradients, are shuffled anew in each of a few passes.
import numpy as np
import torch


def update_params(batch, policy, critic, optimizer, epochs=10, size=64):
    states = torch.from_numpy(np.stack(batch.state))
    rewards = torch.from_numpy(np.stack(batch.reward))
    with torch.no_grad():
        values = critic(states)
        fixed = policy.log_prob(states)
    returns = rewards + 0.99 * values.squeeze(-1)
    for _ in range(epochs):
        perm = torch.from_numpy(np.random.permutation(len(states)))
        states, returns, fixed = states[perm].clone(), returns[perm].clone(), fixed[perm].clone()
        for i in range(0, len(states), size):
            ind = slice(i, i + size)
            ratio = (policy.log_prob(states[ind]) - fixed[ind]).exp()
            loss = (critic(states[ind]).squeeze(-1) - returns[ind]).pow(2).mean() - ratio.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
