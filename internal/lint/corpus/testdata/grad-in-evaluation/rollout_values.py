# A rollout asks the policy with gradients on and keeps the values for the update.
import torch


class RolloutCollector:
    def __init__(self, env, agent):
        self.env = env
        self.agent = agent
        self.observations, self.values = [], []

    def collect(self, steps):
        obs = torch.as_tensor(self.env.reset(), dtype=torch.float32)
        for _ in range(steps):
            dist, value = self.agent(obs)  # finding: grad-in-evaluation
            action = dist.sample()
            self.observations.append(obs)  # also: kept-batch|growing-container
            self.values.append(value)  # also: kept-output
            obs, reward, done, _ = self.env.step(action.item())
            obs = torch.as_tensor(obs, dtype=torch.float32)


def train(env, agent, updates):
    collector = RolloutCollector(env, agent)
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4)
    for _ in range(updates):
        collector.collect(128)
        values = torch.stack(collector.values[-128:]).detach()
        dist, fresh = agent(torch.stack(collector.observations[-128:]))
        loss = (fresh.squeeze() - values.squeeze()).pow(2).mean() - dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
