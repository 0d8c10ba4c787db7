# Penalties are kept with the graph of a graph.
import torch
import torch.nn.functional as F


def penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_()
    score = critic(mixed)
    grad, = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def train(critic, generator, loader, opt_c, opt_g):
    penalties = []
    for i, (real, _) in enumerate(loader):
        fake = generator(torch.randn(real.size(0), 128, device=real.device)).detach()
        gp = penalty(critic, real, fake)
        loss = critic(fake).mean() - critic(real).mean() + 10 * gp
        opt_c.zero_grad()
        loss.backward()
        opt_c.step()
        penalties += [gp]  # finding: kept-loss
        if i % 5 == 0:
            opt_g.zero_grad()
            (-critic(generator(torch.randn(real.size(0), 128, device=real.device))).mean()).backward()
            opt_g.step()
    return penalties
