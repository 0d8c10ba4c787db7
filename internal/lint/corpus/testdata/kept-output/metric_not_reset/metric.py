# A retrieval metric with list states and a reset that has to be called by somebody.
import torch


class RetrievalMetric:
    def __init__(self, k=10):
        self.k = k
        self.reset()

    def reset(self):
        self.scores = []
        self.targets = []

    def update(self, scores, targets):
        self.scores.append(scores)  # finding: kept-output
        self.targets.append(targets)  # also: kept-batch|kept-output

    def compute(self):
        scores, targets = torch.cat(self.scores), torch.cat(self.targets)
        top = scores.topk(self.k, dim=1).indices
        return (top == targets[:, None]).any(1).float().mean()
