# Assignments are normalised in place under no_grad, and the smoothed loss is a number.
import torch
import torch.nn.functional as F


def sinkhorn(scores, iters=3):
    q = torch.exp(scores / 0.05).t()
    q /= q.sum()
    for _ in range(iters):
        q /= q.sum(1, keepdim=True)
        q /= q.sum(0, keepdim=True)
    return q.t()


def train(model, prototypes, loader, optimizer, decay=0.99):
    smooth = None
    for step, (a, b) in enumerate(loader):
        za, zb = model(a), model(b)
        sa, sb = prototypes(za), prototypes(zb)
        with torch.no_grad():
            qa, qb = sinkhorn(sa), sinkhorn(sb)
        loss = -(qa * F.log_softmax(sb, 1) + qb * F.log_softmax(sa, 1)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = loss.item()
        smooth = value if smooth is None else decay * smooth + (1 - decay) * value
        if step % 50 == 0:
            print(step, smooth)
