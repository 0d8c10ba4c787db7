# empty_cache in each step: slow, and no cure.
import torch


def train(model, loader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
        print(loss.item())
        torch.cuda.empty_cache()  # finding: empty-cache-per-step
