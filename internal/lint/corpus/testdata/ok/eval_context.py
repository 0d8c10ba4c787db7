# A with-block around the loop of the validation.
import torch


def validate(val_loader, model, criterion):
    total = 0
    outputs = []
    model.eval()
    with torch.no_grad():
        for images, target in val_loader:
            output = model(images.cuda(non_blocking=True))
            loss = criterion(output, target.cuda())
            total += loss
            outputs.append(output.cpu())
    return total / len(val_loader), torch.cat(outputs)
