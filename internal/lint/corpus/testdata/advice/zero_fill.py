# Gradients filled with zeros in the belief that it saves memory.
import torch


def train(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad(set_to_none=False)  # finding: zero-grad-set-to-none-false
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())
