# A codec's modules call each other in encode and decode: parts of a forward, no evaluation.
import torch
from torch import nn


class Codebook(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.project = nn.Linear(dim, size)
        self.embed = nn.Embedding(size, dim)

    def encode(self, x):
        return self.project(x).argmax(-1)

    def decode(self, indices):
        return self.embed(indices)


class Codec(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.quantizers = nn.ModuleList(Codebook(dim, 256) for _ in range(depth))
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))

    def encode(self, x):
        residual, indices = x, []
        for quantizer in self.quantizers:
            code = quantizer.encode(residual)
            residual = residual - quantizer.decode(code)
            indices.append(code)
        return torch.stack(indices)

    def run_layers(self, x, keep):
        y = []
        for i, layer in enumerate(self.layers):
            x = layer(x)
            y.append(x if i in keep else None)
        return x, y

    def decode(self, codes):
        out = torch.zeros(())
        for quantizer, code in zip(self.quantizers, codes):
            out = out + quantizer.decode(code)
        return self.run_layers(out, (0,))[0]
