# A recurrent agent stores its live state with each transition.
import torch


class Experience:
    def __init__(self):
        self.steps = []

    def add(self, obs, hidden, reward):
        self.steps.append((obs, hidden, reward))  # finding: kept-output|kept-batch|grad-in-evaluation|carried-state


def act(env, net, experience, steps):
    hidden = net.initial_state()
    obs = torch.as_tensor(env.reset())
    for _ in range(steps):
        logits, hidden = net(obs, hidden)  # also: carried-state|grad-in-evaluation
        obs, reward, done, _ = env.step(logits.argmax().item())
        obs = torch.as_tensor(obs)
        experience.add(obs, hidden, reward)  # also: kept-output


def train(env, net, optimizer, rounds):
    experience = Experience()
    for _ in range(rounds):
        act(env, net, experience, 32)
        loss = -sum(net.value(o, h.detach()).mean() for o, h, _ in experience.steps[-32:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
