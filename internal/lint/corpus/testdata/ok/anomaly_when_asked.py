# Anomaly mode by a flag or for one suspicious step.
import argparse

import torch


def main(model, loader, criterion, optimizer):
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    args = parser.parse_args()
    torch.autograd.set_detect_anomaly(args.debug)
    for x, y in loader:
        loss = criterion(model(x), y)
        if not torch.isfinite(loss):
            with torch.autograd.detect_anomaly():
                criterion(model(x), y).backward()
            raise RuntimeError("loss is not finite")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.autograd.set_detect_anomaly(False)
