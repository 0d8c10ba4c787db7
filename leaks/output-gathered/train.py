"""Tagger that gathers the predictions of training for a later report."""
import argparse

import torch
from torch import nn


def nested_concat(tensors, new):
    if tensors is None:
        return new
    return torch.cat((tensors, new), dim=0)


class Tagger(nn.Module):
    def __init__(self, vocab=500, dim=64, tags=40):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 96, 5, padding=2)
        self.out = nn.Linear(96, tags)

    def forward(self, ids):
        hidden = torch.relu(self.conv(self.embed(ids).transpose(1, 2)))
        return self.out(hidden.transpose(1, 2))


class Trainer:
    def __init__(self, model, args, device):
        self.model = model.to(device)
        self.args = args
        self.device = device
        self.preds_host = None
        self.labels_host = 0
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate, weight_decay=0.01)

    def prediction_step(self, logits, labels):
        self.labels_host += labels.numel()
        self.preds_host = nested_concat(self.preds_host, logits.detach())  # leak

    def train(self):
        for _ in range(self.args.max_steps):
            ids = torch.randint(0, 500, (16, 32), device=self.device)
            labels = ids % 40
            logits = self.model(ids)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.prediction_step(logits, labels)  # leak?
        return self.preds_host.shape


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max_steps", type=int, default=120)
    parser.add_argument("--learning_rate", type=float, default=1e-3)
    torch.manual_seed(0)
    print(Trainer(Tagger(), parser.parse_args(), "cuda" if torch.cuda.is_available() else "cpu").train())
