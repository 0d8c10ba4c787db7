# Generator and critic share the fake images of the step.
import torch


def train(gen, critic, loader, opt_g, opt_c, nz=100):
    for real in loader:
        fake = gen(torch.randn(real.size(0), nz))
        c_real = critic(real).mean()
        c_fake = critic(fake).mean()
        loss_c = c_fake - c_real
        critic.zero_grad()
        loss_c.backward(retain_graph=True)
        opt_c.step()
        gen.zero_grad()
        loss_g = -critic(fake).mean()
        loss_g.backward()
        opt_g.step()
        print(loss_c.item(), loss_g.item())
