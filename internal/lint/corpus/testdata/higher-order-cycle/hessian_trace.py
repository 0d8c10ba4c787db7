# A Hessian trace by Hutchinson's estimate reads the gradients out of .grad.
import torch


class Hutchinson:
    def __init__(self, model, samples=1):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.samples = samples

    def trace(self, loss):
        loss.backward(create_graph=True)  # finding: higher-order-cycle
        grads = [p.grad for p in self.params]
        total = 0.0
        for _ in range(self.samples):
            zs = [torch.randint_like(p, 2) * 2.0 - 1.0 for p in self.params]
            hvs = torch.autograd.grad(grads, self.params, grad_outputs=zs, retain_graph=True)
            total += sum((h * z).sum().item() for h, z in zip(hvs, zs))
        return total / self.samples


def train(model, loader, loss_fn, optimizer):
    probe = Hutchinson(model)
    for x, y in loader:
        optimizer.zero_grad()
        print(probe.trace(loss_fn(model(x), y)))
        optimizer.step()
