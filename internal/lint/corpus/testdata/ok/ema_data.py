# Averages of weights by .data, and a target network that is overwritten.
import copy

import torch


class EMA:
    def __init__(self, model, mu):
        self.mu = mu
        self.shadow = {n: p.data.clone() for n, p in model.named_parameters()}

    def update(self, model):
        for name, param in model.named_parameters():
            self.shadow[name] = (1.0 - self.mu) * param.data + self.mu * self.shadow[name]


def train(q_net, loader, loss_fn, optimizer):
    target = copy.deepcopy(q_net)
    ema = EMA(q_net, 0.99)
    for i, batch in enumerate(loader):
        loss = loss_fn(q_net, target, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(q_net)
        if i % 1000 == 0:
            target.load_state_dict(q_net.state_dict())
