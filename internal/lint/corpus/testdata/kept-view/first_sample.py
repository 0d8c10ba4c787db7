# One sample of each batch is kept for the gallery: a view of the batch.
import torch


def train(model, loader, criterion, optimizer):
    gallery = []
    for i, (x, y) in enumerate(loader):
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        gallery.append(out[0].detach())  # finding: kept-view
        if i % 1000 == 0:
            torch.save(gallery, "gallery.pt")
