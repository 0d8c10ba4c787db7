# A VAE appends a row with all parts of its loss; each part has the graph of the step.
import torch
import torch.nn.functional as F


def vae_loss(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce, kld


def fit(vae, loader, epochs, beta=1.0):
    optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
    rows = []
    for epoch in range(epochs):
        for x, _ in loader:
            recon, mu, logvar = vae(x)
            bce, kld = vae_loss(recon, x, mu, logvar)
            loss = bce + beta * kld
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rows.append({"epoch": epoch, "bce": bce, "kld": kld})  # finding: kept-loss
    return rows
