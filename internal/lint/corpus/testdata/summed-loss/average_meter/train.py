# The meter is fed with the loss, not with its number.
from meters import AverageMeter


def train(train_loader, model, criterion, optimizer, epoch):
    losses = AverageMeter()
    model.train()
    for i, (images, target) in enumerate(train_loader):
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss, images.size(0))  # also: summed-loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            print(f"{epoch} {i} {losses.avg:.4f}")
    return losses.avg
