"""Builds a retrieval gallery: embeds all pictures, then looks for near duplicates."""
import argparse

import torch
from torch.utils.data import DataLoader, Dataset

from encoder import Encoder


class Pictures(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index // 2)
        return torch.rand(1, 24, 24, generator=generator)


class Gallery:
    def __init__(self, encoder, device):
        self.encoder = encoder.to(device).eval()
        self.device = device

    def build(self, loader):
        vectors = []
        for batch in loader:
            vectors.append(self.encoder(batch.to(self.device)))  # leak
        return torch.cat(vectors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=2400)
    parser.add_argument("--batch", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    gallery = Gallery(Encoder(), device)
    vectors = gallery.build(DataLoader(Pictures(args.pictures), batch_size=args.batch))
    similar = vectors[:64] @ vectors[:64].T
    print("near duplicates:", int((similar > 0.9999).sum()) - 64)


if __name__ == "__main__":
    main()
