# The moving baseline of REINFORCE is made from rewards that a learned model predicts.
import torch


class Reinforce:
    def __init__(self, policy, reward_model):
        self.policy = policy
        self.reward_model = reward_model
        params = list(policy.parameters()) + list(reward_model.parameters())
        self.optimizer = torch.optim.Adam(params, lr=1e-3)
        self.baseline = torch.zeros(())

    def update(self, states):
        dist = torch.distributions.Categorical(logits=self.policy(states))
        actions = dist.sample()
        reward = self.reward_model(states).gather(1, actions[:, None]).squeeze(1)
        self.baseline = 0.9 * self.baseline + 0.1 * reward.mean()  # finding: carried-state
        loss = -(dist.log_prob(actions) * (reward - self.baseline).detach()).mean() - reward.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
