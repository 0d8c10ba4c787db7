# The worst images of each batch are parts of it.
import torch


class TopK:
    def __init__(self, k=100):
        self.k = k
        self.worst = []

    def update(self, images, losses):
        for img, l in zip(images, losses):
            self.worst.append((l.item(), img))  # finding: kept-view|kept-batch

    def table(self):
        return sorted(self.worst, key=lambda w: -w[0])[: self.k]


def train(model, loader, opt):
    top = TopK()
    for images, labels in loader:
        losses = torch.nn.functional.cross_entropy(model(images), labels, reduction="none")
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        top.update(images, losses)
    return top.table()
