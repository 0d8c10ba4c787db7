# A GAN notes the losses of both networks in each iteration, as they come out of the criterion.
import torch
from torch import nn


def train(netG, netD, loader, nz, device, epochs=25):
    criterion = nn.BCELoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    G_losses, D_losses = [], []
    for epoch in range(epochs):
        for i, (real, _) in enumerate(loader):
            real = real.to(device)
            b = real.size(0)
            netD.zero_grad()
            label = torch.ones(b, device=device)
            errD_real = criterion(netD(real).view(-1), label)
            errD_real.backward()
            fake = netG(torch.randn(b, nz, 1, 1, device=device))
            errD_fake = criterion(netD(fake.detach()).view(-1), torch.zeros_like(label))
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()
            netG.zero_grad()
            errG = criterion(netD(fake).view(-1), label)
            errG.backward()
            optimizerG.step()
            if i % 50 == 0:
                print(epoch, i, errD.item(), errG.item())
            G_losses.append(errG)  # finding: kept-loss
            D_losses.append(errD)  # finding: kept-loss
    return G_losses, D_losses
