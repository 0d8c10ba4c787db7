# Tensors are handed to writers that make numbers of them.
import torch
import wandb
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm


def train(model, loader, criterion, optimizer, epochs):
    writer = SummaryWriter("runs/a")
    wandb.init(project="a")
    step = 0
    for epoch in range(epochs):
        bar = tqdm(enumerate(loader), total=len(loader))
        for i, (x, y) in bar:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            writer.add_scalar("loss", loss, step)
            wandb.log({"loss": loss.item(), "epoch": epoch})
            bar.set_postfix(loss=loss.item())
            step += 1
    writer.close()
