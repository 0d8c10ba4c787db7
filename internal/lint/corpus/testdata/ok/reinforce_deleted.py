# The log probabilities are deleted after each update.
import torch


def act(model, obs):
    dist = torch.distributions.Categorical(logits=model(obs))
    a = dist.sample()
    model.log_probs.append(dist.log_prob(a))
    return a


def update(model, opt, rewards):
    loss = -(torch.stack(model.log_probs) * rewards).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del model.log_probs[:]
