# A figure per evaluation is logged and never closed.
import matplotlib.pyplot as plt
import torch
from torch.utils.tensorboard import SummaryWriter


def plot_prediction(pred, target):
    fig = plt.figure(figsize=(8, 4))  # finding: debug-tool-left-on
    plt.plot(target, label="target")
    plt.plot(pred, label="prediction")
    plt.legend()
    return fig


def train(model, loader, val_x, val_y, loss_fn, optimizer):
    writer = SummaryWriter()
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()
        if step % 100 == 0:
            with torch.no_grad():
                pred = model(val_x)
            writer.add_figure("val", plot_prediction(pred.numpy(), val_y.numpy()), step, close=False)  # also: debug-tool-left-on
