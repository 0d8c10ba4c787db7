# An adversarial attack: a delta is updated in a loop with gradients of its own.
import torch


def pgd(model, x, y, criterion, eps=8 / 255, alpha=2 / 255, iters=10):
    delta = torch.zeros_like(x).uniform_(-eps, eps).requires_grad_(True)
    for _ in range(iters):
        loss = criterion(model(x + delta), y)
        grad = torch.autograd.grad(loss, delta)[0].detach()
        delta.data = (delta + alpha * grad.sign()).clamp(-eps, eps)
    return (x + delta).detach()


def robust_accuracy(model, loader, criterion):
    model.eval()
    kept, right = [], 0
    for x, y in loader:
        adv = pgd(model, x, y, criterion)
        with torch.no_grad():
            right += (model(adv).argmax(1) == y).sum().item()
        kept.append(adv.cpu())
    return right / len(loader.dataset), torch.cat(kept)
