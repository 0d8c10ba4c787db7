# Values and log-probabilities of a rollout live in lists that each update makes anew.
import torch


def train(env, model, updates, horizon=5, gamma=0.99):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=7e-4)
    obs = torch.as_tensor(env.reset())
    for _ in range(updates):
        log_probs, values, rewards, entropies = [], [], [], []
        for _ in range(horizon):
            dist, value = model(obs)
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
            values.append(value)
            entropies.append(dist.entropy().mean())
            nxt, reward, done, _ = env.step(action)
            rewards.append(torch.as_tensor(reward))
            obs = torch.as_tensor(nxt)
        with torch.no_grad():
            _, ret = model(obs)
        returns = []
        for r in reversed(rewards):
            ret = r + gamma * ret
            returns.insert(0, ret)
        advantage = torch.stack(returns) - torch.stack(values)
        loss = -(torch.stack(log_probs) * advantage.detach()).mean() + advantage.pow(2).mean()
        loss = loss - 0.01 * torch.stack(entropies).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
