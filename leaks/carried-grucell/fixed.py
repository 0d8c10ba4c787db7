"""Next-value prediction with a GRU cell whose state runs through the whole series."""
import math

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
learning_rate = 0.05


class Forecaster(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.cell = nn.GRUCell(1, width)
        self.head = nn.Linear(width, 1)

    def forward(self, window, state):
        guesses = []
        for t in range(window.shape[1]):
            state = self.cell(window[:, t], state)
            guesses.append(self.head(state))
        return torch.stack(guesses, 1), state


def waves(count, length):
    phase = torch.rand(count, 1) * 6.28
    return torch.sin(phase + torch.arange(length) * 2 * math.pi / 25)[..., None].to(device)


def train(model, series, span=6):
    state = torch.zeros(len(series), 48, device=device)
    for start in range(0, series.shape[1] - span - 1, span):
        window, target = series[:, start:start + span], series[:, start + 1:start + span + 1]
        guesses, state = model(window, state.detach())
        loss = nn.functional.mse_loss(guesses, target)
        model.zero_grad(set_to_none=True)
        loss.backward()
        for p in model.parameters():
            p.data.add_(p.grad.data.clamp(-1, 1), alpha=-learning_rate)
    return loss.item()


print("loss %.4f" % train(Forecaster().to(device), waves(8, 6 * 100 + 2)))
