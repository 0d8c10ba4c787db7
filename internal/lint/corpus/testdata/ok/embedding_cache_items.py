# Embeddings of the vocabulary are computed once per word and kept as arrays.
import numpy as np
import torch


class Vectors:
    def __init__(self, encoder, tokenizer):
        self.encoder = encoder.eval()
        self.tokenizer = tokenizer
        self.known = {}

    @torch.no_grad()
    def vector(self, word):
        if word not in self.known:
            ids = torch.tensor([self.tokenizer(word)])
            self.known[word] = self.encoder(ids).mean(1).squeeze(0).numpy().copy()
        return self.known[word]

    def matrix(self, words):
        return np.stack([self.vector(w) for w in words])
