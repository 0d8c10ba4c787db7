# A PPO rollout without gradients; its buffer is made once and overwritten.
import torch


class RolloutBuffer:
    def __init__(self, horizon, shape):
        self.obs = torch.zeros(horizon, *shape)
        self.values = torch.zeros(horizon)
        self.logps = torch.zeros(horizon)


def collect(env, agent, buffer):
    obs = torch.as_tensor(env.reset()).float()
    for t in range(len(buffer.values)):
        with torch.no_grad():
            dist, value = agent(obs)
            action = dist.sample()
        buffer.obs[t] = obs
        buffer.values[t] = value
        buffer.logps[t] = dist.log_prob(action)
        obs = torch.as_tensor(env.step(action.item())[0]).float()


def train(env, agent, optimizer, updates):
    buffer = RolloutBuffer(2048, (8,))
    for _ in range(updates):
        collect(env, agent, buffer)
        dist, value = agent(buffer.obs)
        loss = (value.squeeze(-1) - buffer.values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
