# The metric is updated in each training step and never reset.
import torch

from metric import RetrievalMetric


def train(model, loader, criterion, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    metric = RetrievalMetric()
    for epoch in range(epochs):
        for queries, documents in loader:
            scores = model(queries) @ model(documents).t()
            labels = torch.arange(len(scores))
            loss = criterion(scores, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            metric.update(scores, labels)  # also: kept-output
        print(epoch, metric.compute().item())
