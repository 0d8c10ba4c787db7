# Top candidates of a large vocabulary: narrow() and detach() share the storage of all logits.
import torch


class TopHistory:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.heads = []

    def step(self, ids, labels):
        logits = self.model(ids)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.heads.append(logits.detach().narrow(-1, 0, 4))  # finding: kept-view
        return loss.item()
