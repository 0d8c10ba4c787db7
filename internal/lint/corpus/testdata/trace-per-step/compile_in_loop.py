# The loss function is compiled inside the loop: a new compiled object in each step.
import torch


def contrastive(a, b, t=0.07):
    return torch.nn.functional.cross_entropy(a @ b.t() / t, torch.arange(a.size(0)))


def train(encoder, loader, optimizer):
    for left, right in loader:
        loss_fn = torch.compile(lambda u, v: contrastive(u, v))  # finding: trace-per-step
        loss = loss_fn(encoder(left), encoder(right))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
