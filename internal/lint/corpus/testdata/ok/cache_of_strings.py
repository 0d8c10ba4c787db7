# A cache of tokenised words: no tensor goes in or out.
import functools

import torch


@functools.lru_cache(maxsize=None)
def bpe(word):
    pieces = tuple(word)
    while len(pieces) > 1 and pieces[0] == pieces[1]:
        pieces = (pieces[0] + pieces[1],) + pieces[2:]
    return pieces


@functools.cache
def vocabulary_size():
    return 50257


def encode(text, ids):
    return torch.tensor([ids[p] for w in text.split() for p in bpe(w)])


def train(model, texts, ids, optimizer):
    for text in texts:
        tokens = encode(text, ids)
        loss = torch.nn.functional.cross_entropy(model(tokens[:-1]), tokens[1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
