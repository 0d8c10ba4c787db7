# An entry of a dictionary sums losses over all epochs.
import torch


def train_epoch(model, loader, opt, crit, log):
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log["train_loss"] = log.get("train_loss", 0) + loss  # finding: summed-loss


def main(model, loader, opt, crit):
    log = {}
    for epoch in range(100):
        train_epoch(model, loader, opt, crit, log)
        print(log["train_loss"] / (epoch + 1) / len(loader))
