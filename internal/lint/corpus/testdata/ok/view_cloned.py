# The kept token is a copy: the hidden state can go.
import torch


@torch.no_grad()
def extract(vit, loader):
    tokens = []
    for images, _ in loader:
        hidden = vit(images)
        tokens.append(hidden[:, 0].clone())
    return torch.cat(tokens)


def pooled(encoder, loader):
    vectors = []
    with torch.no_grad():
        for x in loader:
            vectors.append(encoder(x).mean(dim=1).cpu())
    return torch.cat(vectors)
