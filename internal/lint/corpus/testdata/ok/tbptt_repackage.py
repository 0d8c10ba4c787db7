# Truncated backpropagation: the state is repackaged before each chunk.
import torch


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def train(model, source, criterion, lr, bptt=35, clip=0.25):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(20)
    for i in range(0, source.size(0) - 1, bptt):
        data = source[i : i + bptt]
        targets = source[i + 1 : i + 1 + bptt].view(-1)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
    return total_loss
