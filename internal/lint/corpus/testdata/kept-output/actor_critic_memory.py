# An agent's memory is read by its newest entries and never emptied.
import torch


class Agent:
    def __init__(self, actor, critic):
        self.actor, self.critic = actor, critic
        self.opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
        self.memory = []

    def act(self, obs):
        dist = torch.distributions.Normal(*self.actor(obs))
        action = dist.sample()
        self.memory.append((dist.log_prob(action).sum(), self.critic(obs)))  # finding: kept-output
        return action.numpy()

    def learn(self, rewards):
        logp, value = map(torch.stack, zip(*self.memory[-len(rewards):]))
        adv = torch.tensor(rewards) - value.squeeze()
        loss = (-logp * adv.detach() + adv.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


def run(env, agent):
    for episode in range(500):
        obs, rewards, done = env.reset(), [], False
        while not done:
            obs, r, done, _ = env.step(agent.act(torch.as_tensor(obs)))
            rewards.append(r)
        agent.learn(rewards)
