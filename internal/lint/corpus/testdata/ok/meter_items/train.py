# The meter gets numbers.
from meters import AverageMeter


def train(loader, model, criterion, optimizer):
    losses = AverageMeter("loss")
    top1 = AverageMeter("acc@1")
    for images, target in loader:
        output = model(images)
        loss = criterion(output, target)
        acc = (output.argmax(1) == target).float().mean()
        losses.update(loss.item(), images.size(0))
        top1.update(acc.item(), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses.avg, top1.avg
