# A decoder collects the outputs of its time steps and stacks them: they are its result.
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, dim, vocab):
        super().__init__()
        self.cell = nn.LSTMCell(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, inputs, state):
        outputs, attentions = [], []
        h, c = state
        for x in inputs.unbind(1):
            h, c = self.cell(x, (h, c))
            score = (h.unsqueeze(1) * inputs).sum(-1).softmax(-1)
            attentions.append(score)
            outputs.append(self.out(h))
        return torch.stack(outputs, 1), torch.stack(attentions, 1)


def train(decoder, loader, optimizer):
    for inputs, target, state in loader:
        logits, _ = decoder(inputs, state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
