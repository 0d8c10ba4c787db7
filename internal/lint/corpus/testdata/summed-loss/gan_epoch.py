# The epoch's sums are taken before the backward; the graphs are chained all the same.
import torch
import torch.nn.functional as F


def epoch(gen, disc, opt_g, opt_d, loader):
    sum_g, sum_d = 0.0, 0.0
    for real in loader:
        z = torch.randn(real.size(0), 100)
        fake = gen(z)
        d_loss = F.softplus(-disc(real)).mean() + F.softplus(disc(fake.detach())).mean()
        sum_d = sum_d + d_loss  # finding: summed-loss
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        g_loss = F.softplus(-disc(fake)).mean()
        sum_g = sum_g + g_loss  # finding: summed-loss
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
    n = len(loader)
    return float(sum_g) / n, float(sum_d) / n
