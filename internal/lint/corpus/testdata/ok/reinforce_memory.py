# A memory that is handed in clears itself.
import torch


def act(model, obs, memory):
    dist = torch.distributions.Categorical(logits=model(obs))
    a = dist.sample()
    memory.log_probs.append(dist.log_prob(a))
    return a


def update(memory, opt, rewards):
    loss = -(torch.stack(memory.log_probs) * rewards).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.clear()
