# The sum of losses and the predictions of a validation, under a decorator of another file.
import torch

from torch_utils import no_gradients


@no_gradients()
def run(model, dataloader, criterion=None):
    model.eval()
    pred, targets, loss = [], [], 0
    for images, labels in dataloader:
        y = model(images)
        pred.append(y.argsort(1, descending=True).cpu())
        targets.append(labels)
        if criterion:
            loss += criterion(y, labels)
    pred, targets = torch.cat(pred), torch.cat(targets)
    return (pred[:, 0] == targets).float().mean().item(), loss / len(dataloader)


def train(model, loader, testloader, criterion, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    return run(model, testloader, criterion)
