# A stage is unfrozen each few epochs: as many groups as there are stages.
import torch


def train(model, loader, criterion, epochs):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.01)
    frozen = list(model.stages)
    for epoch in range(epochs):
        if epoch and epoch % 3 == 0 and frozen:
            stage = frozen.pop()
            for p in stage.parameters():
                p.requires_grad = True
            optimizer.add_param_group({"params": stage.parameters(), "lr": 0.001})
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
