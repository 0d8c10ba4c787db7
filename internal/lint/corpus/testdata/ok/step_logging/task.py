# The step of a task adds up what its parts log, in dictionaries of its own.
from collections import defaultdict


class MultiTask:
    def __init__(self, pairs):
        self.pairs = pairs

    def train_step(self, sample, model, criterion, optimizer):
        model.train()
        total, size, logging = 0.0, 0.0, defaultdict(float)
        for pair in self.pairs:
            loss, sample_size, output = criterion(model[pair], sample[pair])
            optimizer.backward(loss)
            total += loss.detach().item()
            size += sample_size
            for k in output:
                logging[k] += output[k]
                logging[f"{pair}:{k}"] += output[k]
        return total, size, logging
