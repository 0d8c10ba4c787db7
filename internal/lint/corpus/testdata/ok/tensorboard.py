# A writer takes numbers out of what it is given.
import torch
from torch.utils.tensorboard import SummaryWriter


def train(model, loader, opt, crit):
    writer = SummaryWriter()
    for step, (x, y) in enumerate(loader):
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        writer.add_scalar("loss", loss, step)
        for n, p in model.named_parameters():
            writer.add_histogram(n, p, step)
