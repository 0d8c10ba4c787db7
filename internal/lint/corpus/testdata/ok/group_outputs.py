# Outputs of the parts of one step are listed for callbacks; the list is new in each step.
import torch


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = callbacks

    def train_epoch(self, groups):
        train_loss = 0.0
        for group in groups:
            self.optimizer.zero_grad()
            outputs = []
            for batch in group:
                out = self.model(**batch)
                outputs.append(out)
                loss = out["loss"] / len(group)
                loss.backward()
                train_loss += loss.item()
            self.optimizer.step()
            for callback in self.callbacks:
                callback.on_batch(self, outputs)
        return train_loss
