"""Small CNN on synthetic images, in the shape of the ImageNet example."""
import argparse
import time

import torch
import torch.nn as nn

from meters import AverageMeter


def accuracy(output, target):
    with torch.no_grad():
        return (output.argmax(1) == target).float().mean() * 100


def batches(n, size):
    generator = torch.Generator().manual_seed(3)
    for _ in range(n):
        target = torch.randint(0, 10, (size,), generator=generator)
        images = torch.randn(size, 3, 16, 16, generator=generator) + target[:, None, None, None] * 0.1
        yield images, target


def train(model, criterion, optimizer, args, device):
    batch_time = AverageMeter("Time", ":.3f")
    losses = AverageMeter("Loss", ":.4f")
    top1 = AverageMeter("Acc@1", ":6.2f")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(batches(args.iterations, args.batch_size)):
        images, target = images.to(device), target.to(device)
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss, images.size(0))  # leak?
        top1.update(accuracy(output, target).item(), images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            print("\t".join(str(m) for m in (batch_time, losses, top1)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", default=120, type=int)
    parser.add_argument("-b", "--batch-size", default=24, type=int)
    parser.add_argument("--print-freq", default=40, type=int)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Linear(128, 10),
    ).to(device)
    train(model, nn.CrossEntropyLoss().to(device), torch.optim.SGD(model.parameters(), 0.1, momentum=0.9), args, device)
