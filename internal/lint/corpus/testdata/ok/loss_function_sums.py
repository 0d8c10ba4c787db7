# Loss functions of a vocoder add up over their discriminators, anew in each call.
import torch
import torch.nn.functional as F


def discriminator_loss(real_outputs, generated_outputs):
    loss = 0
    r_losses, g_losses = [], []
    for dr, dg in zip(real_outputs, generated_outputs):
        r_loss = torch.mean((1 - dr) ** 2)
        g_loss = torch.mean(dg**2)
        loss += r_loss + g_loss
        r_losses.append(r_loss.item())
        g_losses.append(g_loss.item())
    return loss, r_losses, g_losses


def generator_loss(outputs):
    loss = 0
    gen_losses = []
    for dg in outputs:
        part = torch.mean((1 - dg) ** 2)
        gen_losses.append(part)
        loss += part
    return loss, gen_losses


def train(generator, mpd, loader, optim_g, optim_d):
    for x, y in loader:
        y_hat = generator(x)
        optim_d.zero_grad()
        loss_disc, losses_r, losses_g = discriminator_loss(mpd(y), mpd(y_hat.detach()))
        loss_disc.backward()
        optim_d.step()
        optim_g.zero_grad()
        loss_gen, losses_gen = generator_loss(mpd(y_hat))
        (loss_gen + F.l1_loss(y_hat, y) * 45).backward()
        optim_g.step()
