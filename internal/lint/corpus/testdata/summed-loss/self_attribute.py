# A trainer's epoch loss is an attribute, grown in the step method.
import torch


class Trainer(object):
    def __init__(self, model, optimizer, args):
        self.model = model
        self.optimizer = optimizer
        self.args = args
        self.crit = torch.nn.NLLLoss()
        self.epoch_loss = 0

    def train_step(self, batch):
        self.model.zero_grad()
        out = torch.log_softmax(self.model(batch.src), dim=-1)
        loss = self.crit(out, batch.tgt)
        loss.backward()
        self.optimizer.step()
        self.epoch_loss += loss * batch.src.size(0)  # finding: summed-loss

    def train_epoch(self, batches):
        self.epoch_loss = 0
        for batch in batches:
            self.train_step(batch)
        return self.epoch_loss / len(batches)
