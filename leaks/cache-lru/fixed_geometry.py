import torch


def pairwise(points):
    """Distances between all points of each cloud; asked for by several losses of one step."""
    return torch.cdist(points, points)


def stress(embedding, points):
    return (pairwise_of(embedding) - pairwise(points)).pow(2).mean()


def spread(points):
    return pairwise(points).mean()


def pairwise_of(embedding):
    delta = embedding[:, :, None] - embedding[:, None]
    return (delta.pow(2).sum(-1) + 1e-9).sqrt()
