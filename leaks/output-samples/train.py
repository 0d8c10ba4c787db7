"""DCGAN in miniature."""
import torch
import torch.nn as nn
import torch.optim as optim

nz, ngf, ndf, batch_size, iterations = 16, 8, 8, 16, 240
torch.manual_seed(999)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
    nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh()).to(device)
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False), nn.Sigmoid()).to(device)
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
fixed_noise = torch.randn(64, nz, 1, 1, device=device)
optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
img_list = []
G_losses, D_losses = [], []


def make_grid(images, rows=8):
    return images.view(rows, -1, *images.shape[1:]).permute(0, 3, 1, 4, 2).flatten(0, 1).flatten(1)


def blobs(n):
    axis = torch.linspace(-1, 1, 16)
    centre = torch.rand(n, 2, 1, 1) - 0.5
    square = (axis[None, :, None] - centre[:, 0]) ** 2 + (axis[None, None, :] - centre[:, 1]) ** 2
    return (torch.exp(-8 * square) * 2 - 1)[:, None].to(device)


for i in range(iterations):
    netD.zero_grad()
    label = torch.ones(batch_size, device=device)
    errD_real = criterion(netD(blobs(batch_size)).view(-1), label)
    errD_real.backward()
    fake = netG(torch.randn(batch_size, nz, 1, 1, device=device))
    errD_fake = criterion(netD(fake.detach()).view(-1), label * 0)
    errD_fake.backward()
    optimizerD.step()

    netG.zero_grad()
    errG = criterion(netD(fake).view(-1), label)
    errG.backward()
    optimizerG.step()
    G_losses.append(errG.item())
    D_losses.append((errD_real + errD_fake).item())
    if (i + 1) % 10 == 0:
        img_list.append(make_grid(netG(fixed_noise)))  # leak
print("D %.3f G %.3f" % (D_losses[-1], G_losses[-1]), len(img_list), "pictures")
