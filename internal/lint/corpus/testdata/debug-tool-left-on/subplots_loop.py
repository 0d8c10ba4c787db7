# Images of each epoch are saved; their figures stay in pyplot's registry.
import torch
from matplotlib import pyplot as plt


def train_gan(gen, disc, step, loader, epochs, device):
    fixed = torch.randn(16, 100, device=device)
    for epoch in range(epochs):
        for real in loader:
            step(gen, disc, real.to(device))
        with torch.no_grad():
            images = gen(fixed).cpu()
        fig, axes = plt.subplots(4, 4)  # finding: debug-tool-left-on
        for ax, image in zip(axes.flat, images):
            ax.imshow(image.permute(1, 2, 0))
            ax.axis("off")
        fig.savefig(f"samples/{epoch:04d}.png")
