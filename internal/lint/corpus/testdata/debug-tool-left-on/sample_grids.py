# A figure for each epoch is saved and not closed.
import torch
import matplotlib.pyplot as plt


def show(epoch, images):
    fig, axes = plt.subplots(4, 4)  # finding: debug-tool-left-on
    for ax, img in zip(axes.flat, images):
        ax.imshow(img.permute(1, 2, 0))
        ax.axis("off")
    fig.savefig(f"samples_{epoch:03d}.png")


def train(vae, loader, optimizer, epochs):
    for epoch in range(epochs):
        for x, _ in loader:
            recon, mu, logvar = vae(x)
            loss = ((recon - x) ** 2).sum() - 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            show(epoch, vae.decode(torch.randn(16, 32)).cpu())
