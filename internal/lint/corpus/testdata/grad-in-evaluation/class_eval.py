# The test pass of a trainer class keeps all scores and labels for the ROC curve.
import numpy as np
import torch
from sklearn.metrics import roc_auc_score


class Solver:
    def __init__(self, net, optimizer):
        self.net = net
        self.optimizer = optimizer
        self.bce = torch.nn.BCEWithLogitsLoss()

    def train(self, loader):
        self.net.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.bce(self.net(x), y)
            loss.backward()
            self.optimizer.step()

    def test(self, loader):
        self.net.eval()
        scores, labels = [], []
        for x, y in loader:
            scores.append(torch.sigmoid(self.net(x)))  # finding: grad-in-evaluation
            labels.append(y)
        scores = torch.cat(scores).detach().cpu().numpy()
        return roc_auc_score(np.concatenate(labels), scores)
