"""Neural pointer for a knapsack-like task, trained with REINFORCE and a learned cost model."""
import torch
from torch import nn


class Agent(nn.Module):
    beta = 0.9

    def __init__(self, items=16, hidden=96):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(items * 2, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, items))
        self.cost = nn.Linear(items, 1)
        self.baseline = 0.0

    def forward(self, values, weights):
        logits = self.policy(torch.cat([values, weights], 1))
        return torch.distributions.Bernoulli(logits=logits)

    def reward(self, choice, values, weights):
        capacity = torch.relu((choice * weights).sum(1) - 4)
        return (choice * values).sum(1) - 2 * capacity - nn.functional.softplus(self.cost(choice)).squeeze(1) * 0.1

    def update_baseline(self, reward):
        self.baseline = self.beta * self.baseline + (1 - self.beta) * reward.mean().detach()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    agent = Agent().to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3)
    for episode in range(120):
        values, weights = torch.rand(128, 16, device=device), torch.rand(128, 16, device=device)
        distribution = agent(values, weights)
        choice = distribution.sample()
        reward = agent.reward(choice, values, weights)
        advantage = reward.detach() - float(agent.baseline)
        loss = -(distribution.log_prob(choice).sum(1) * advantage).mean() - reward.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        agent.update_baseline(reward)
    print("baseline %.3f" % float(agent.baseline))


if __name__ == "__main__":
    main()
