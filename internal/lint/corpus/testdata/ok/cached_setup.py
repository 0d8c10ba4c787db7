# What is loaded once is remembered.
import functools
import torch


@functools.cache
def device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@functools.lru_cache(None)
def load_model(name):
    return torch.hub.load("pytorch/vision", name)


def train(loader, opt):
    for x in loader:
        loss = load_model("resnet18")(x.to(device())).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
