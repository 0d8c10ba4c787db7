# A heap of fixed size with copies.
import heapq
import torch


class TopK:
    def __init__(self, k=100):
        self.k, self.heap, self.n = k, [], 0

    def update(self, images, losses):
        for img, l in zip(images, losses):
            self.n += 1
            entry = (l.item(), self.n, img.detach().cpu().clone())
            if len(self.heap) < self.k:
                heapq.heappush(self.heap, entry)
            else:
                heapq.heappushpop(self.heap, entry)


def train(model, loader, opt):
    top = TopK()
    for images, labels in loader:
        losses = torch.nn.functional.cross_entropy(model(images), labels, reduction="none")
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        top.update(images, losses)
    return sorted(top.heap)
