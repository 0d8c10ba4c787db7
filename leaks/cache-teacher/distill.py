import torch
from torch import nn


class Teacher:
    """Soft targets, computed once a batch."""

    def __init__(self, model, temperature=2.0):
        self.model = model
        self.temperature = temperature
        self.soft_targets = {}

    def logits(self, key, x):
        if key not in self.soft_targets:
            self.compute(key, x)
        return self.soft_targets[key]

    def compute(self, key, x):
        self.soft_targets[key] = self.model(x)  # leak

    def loss(self, key, x, student_logits):
        t = self.temperature
        soft = (self.logits(key, x).detach() / t).softmax(1)  # leak?
        return nn.functional.kl_div((student_logits / t).log_softmax(1), soft, reduction="batchmean") * t * t
