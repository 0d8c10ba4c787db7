# Losses of a detector are reduced under no_grad before the meters see them.
import math
import sys

import torch
import utils


def train_one_epoch(model, optimizer, loader, device, epoch):
    model.train()
    logger = utils.MetricLogger()
    for images, targets in loader:
        images = [image.to(device) for image in images]
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        reduced = utils.reduce_dict(loss_dict)
        value = sum(loss for loss in reduced.values()).item()
        if not math.isfinite(value):
            print(f"Loss is {value}, stopping")
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        logger.update(loss=value, **reduced)
    return logger
