# A dictionary with tensors as keys: no lookup ever succeeds.
import torch

_masks = {}


def padding_mask(lengths, max_len):
    if lengths not in _masks:
        steps = torch.arange(max_len, device=lengths.device)
        _masks[lengths] = steps[None, :] < lengths[:, None]  # finding: tensor-cache
    return _masks[lengths]


def train(model, loader, loss_fn, optimizer):
    for tokens, lengths, target in loader:
        mask = padding_mask(lengths, tokens.size(1))
        loss = loss_fn(model(tokens, mask), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
