# A loss is added up over a sequence and backwarded once per sequence.
import torch
from torch import nn


def train(encoder, decoder, pairs, optimizer):
    criterion = nn.NLLLoss()
    for source, target in pairs:
        optimizer.zero_grad()
        loss = 0
        hidden = encoder(source)
        token = torch.zeros(1, 1, dtype=torch.long)
        for t in range(target.size(0)):
            output, hidden = decoder(token, hidden)
            loss += criterion(output, target[t])
            token = output.topk(1)[1].detach()
        loss.backward()
        optimizer.step()
        print(loss.item() / target.size(0))
