# Each term of a physics loss has its own backward, all with the flag, and the terms are logged.
import torch


class PINN:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
        self.log = []

    def residual(self, x):
        x.requires_grad_(True)
        u = self.net(x)
        du, = torch.autograd.grad(u.sum(), x, create_graph=True)
        return u, (du + u).pow(2).mean()

    def step(self, x, x0, u0):
        self.optimizer.zero_grad()
        u, residual = self.residual(x)
        boundary = (self.net(x0) - u0).pow(2).mean()
        residual.backward(retain_graph=True)  # finding: retained-graph
        boundary.backward(retain_graph=True)  # also: retained-graph
        self.optimizer.step()
        self.log.append((residual, boundary))  # also: kept-loss
