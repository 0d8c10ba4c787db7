# Several forwards, then a backward of each: the losses are in a list between the two loops.
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


def step_model(model, x, y, accelerator):
    loss = F.mse_loss(model(x), y)
    accelerator.backward(loss)


def setup(accelerator, dataset):
    model = nn.Linear(4, 1)
    return model, accelerator.prepare(model), accelerator.prepare(DataLoader(dataset))


def check(accelerator, dataset):
    model, ddp_model, loader = setup(accelerator, dataset)
    losses = []
    for _ in range(3):
        x, y = next(iter(loader)).values()
        step_model(model, x, y, accelerator)
        with accelerator.no_sync(ddp_model):
            losses.append(F.mse_loss(ddp_model(x), y))
    for i in range(3):
        loss = losses[i]
        if i < 2:
            accelerator.backward(loss)
        else:
            with accelerator.trigger_sync_in_backward(ddp_model):
                accelerator.backward(loss)
