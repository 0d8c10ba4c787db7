# A sampler keeps the latents of its steps for a film of one image.
import torch


class Sampler:
    def __init__(self, unet, betas):
        self.unet = unet
        self.betas = betas

    @torch.no_grad()
    def sample(self, shape, keep_every=50):
        x = torch.randn(shape)
        frames = []
        for t in reversed(range(len(self.betas))):
            noise = self.unet(x, torch.full((shape[0],), t))
            x = (x - self.betas[t] * noise) / (1 - self.betas[t]).sqrt()
            if t % keep_every == 0:
                frames.append(x.cpu())
        return x, frames


def train(unet, loader, optimizer, sampler):
    for i, x0 in enumerate(loader):
        noise = torch.randn_like(x0)
        loss = (unet(x0 + noise, torch.zeros(len(x0))) - noise).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 1000 == 0:
            torch.save(sampler.sample(x0.shape)[0], f"sample_{i}.pt")
