# An RNN over documents keeps the state at the last position, still a part of all positions.
import torch
from torch import nn


class DocumentEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.rnn = nn.GRU(dim, dim, batch_first=True)


def encode_corpus(encoder, documents):
    encoder.eval()
    states = {}
    with torch.inference_mode():
        for name, embedded in documents:
            output, _ = encoder.rnn(embedded)
            states[name] = output[:, -1, :]  # finding: kept-view
    return states
