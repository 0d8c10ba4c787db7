# Numbers of a penalty.
import torch


def train(critic, generator, loader, opt_c, opt_g):
    log = {"gp": [], "w": []}
    for i, (real, _) in enumerate(loader):
        fake = generator(torch.randn(real.size(0), 128)).detach()
        eps = torch.rand(real.size(0), 1, 1, 1)
        mixed = (eps * real + (1 - eps) * fake).requires_grad_()
        grad, = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
        gp = ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
        w = critic(real).mean() - critic(fake).mean()
        loss = -w + 10 * gp
        opt_c.zero_grad()
        loss.backward()
        opt_c.step()
        log["gp"].append(gp.item())
        log["w"].append(float(w))
    return log
