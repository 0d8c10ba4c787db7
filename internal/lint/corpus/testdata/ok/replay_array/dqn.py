# The agent's loop adds to the buffer in each step; its arrays were made once.
import torch

from buffers import ReplayBuffer


def train(env, net, optimizer, steps):
    buffer = ReplayBuffer(10000, (4,))
    obs = env.reset()
    for step in range(steps):
        with torch.no_grad():
            action = net(torch.as_tensor(obs)).argmax().item()
        nxt, reward, done, _ = env.step(action)
        buffer.add(obs, reward)
        obs = env.reset() if done else nxt
        if step > 500:
            x, r = buffer.sample(64)
            loss = (net(x).max(1).values - r).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
