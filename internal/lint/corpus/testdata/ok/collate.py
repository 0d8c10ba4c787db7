# A collate function builds lists and tensors for one batch.
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(samples):
    tokens, lengths, labels = [], [], []
    for sample in samples:
        ids = torch.tensor(sample["ids"])
        tokens.append(ids)
        lengths.append(len(ids))
        labels.append(sample["label"])
    return pad_sequence(tokens, batch_first=True), torch.tensor(lengths), torch.tensor(labels)


def train(model, data, criterion, optimizer):
    for tokens, lengths, labels in DataLoader(data, 32, collate_fn=collate, num_workers=2):
        loss = criterion(model(tokens, lengths), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
