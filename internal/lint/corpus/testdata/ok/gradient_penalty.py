# The gradient penalty of a critic by autograd.grad: no gradient with a graph stays in .grad.
import torch


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    grads = torch.autograd.grad(
        outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score), create_graph=True, retain_graph=True
    )[0]
    return ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def critic_step(critic, gen, real, optimizer, nz, lam=10.0):
    fake = gen(torch.randn(real.size(0), nz, device=real.device)).detach()
    loss = critic(fake).mean() - critic(real).mean() + lam * gradient_penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
