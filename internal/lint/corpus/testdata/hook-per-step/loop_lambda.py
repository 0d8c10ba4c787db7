# In the loop, a lambda scales the gradients of a parameter: one more hook in each step.
import torch


def train(model, loader, criterion, scale=0.1):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        for p in model.encoder.parameters():
            p.register_hook(lambda g: g * scale)  # finding: hook-per-step
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
