import torch


class TokenBank:
    """Class tokens in the order they were seen, for a projection of the representation."""

    def __init__(self):
        self.cls_tokens = []

    def add(self, tokens):
        self.cls_tokens.append(tokens[:, 0].detach().clone())
        del self.cls_tokens[:-10]

    def principal(self, last=10):
        tokens = torch.cat(self.cls_tokens[-last:])
        tokens = tokens - tokens.mean(0)
        return (tokens.T @ tokens / len(tokens)).diagonal().max().item()
