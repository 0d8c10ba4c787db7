from functools import lru_cache

import torch


@lru_cache(maxsize=None)
def pairwise(points):  # leak
    """Distances between all points of each cloud; asked for by several losses of one step."""
    return torch.cdist(points, points)


def stress(embedding, points):
    return (pairwise_of(embedding) - pairwise(points)).pow(2).mean()  # leak?


def spread(points):
    return pairwise(points).mean()  # leak?


def pairwise_of(embedding):
    delta = embedding[:, :, None] - embedding[:, None]
    return (delta.pow(2).sum(-1) + 1e-9).sqrt()
