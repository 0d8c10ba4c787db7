# An actor-critic agent remembers both losses of each update for its dashboard.
import torch
import torch.nn.functional as F


class Agent:
    def __init__(self, policy, gamma=0.99):
        self.policy = policy
        self.gamma = gamma
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=3e-2)
        self.dashboard = {"policy": [], "value": []}

    def update(self, log_probs, values, rewards):
        returns, ret = [], 0.0
        for r in reversed(rewards):
            ret = r + self.gamma * ret
            returns.insert(0, ret)
        returns = torch.tensor(returns)
        values = torch.stack(values).squeeze(-1)
        advantage = returns - values.detach()
        policy_loss = -(torch.stack(log_probs) * advantage).sum()
        value_loss = F.smooth_l1_loss(values, returns)
        self.optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        self.optimizer.step()
        self.dashboard["policy"].append(policy_loss)  # finding: kept-loss
        self.dashboard["value"].append(value_loss.item())
