# The trainer's tail is a step that knows its predecessor, and so all of them.
import torch
from dataclasses import dataclass


@dataclass
class Step:
    loss: torch.Tensor
    prev: object = None


class Trainer:
    def __init__(self, model, opt):
        self.model, self.opt, self.tail = model, opt, None

    def fit(self, loader):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.tail = Step(loss=loss, prev=self.tail)  # finding: kept-loss
