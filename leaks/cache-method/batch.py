import functools

import torch


class GraphBatch:
    """A batch of small dense graphs."""

    def __init__(self, adjacency, features, labels):
        self.adjacency, self.features, self.labels = adjacency, features, labels

    @functools.lru_cache(maxsize=None)
    def laplacian(self, normalise=True):  # leak
        degree = self.adjacency.sum(-1)
        if not normalise:
            return torch.diag_embed(degree) - self.adjacency
        scale = degree.clamp(min=1).rsqrt()
        return scale[..., None] * self.adjacency * scale[..., None, :]

    def to(self, device):
        return GraphBatch(self.adjacency.to(device), self.features.to(device), self.labels.to(device))
