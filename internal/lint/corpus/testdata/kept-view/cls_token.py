# The class token of each batch is kept as a slice, and with it the whole hidden state.
import torch


class TokenStore:
    def __init__(self):
        self.tokens = []

    def add(self, hidden):
        self.tokens.append(hidden[:, 0])  # finding: kept-view


@torch.no_grad()
def extract(vit, loader, store: TokenStore, device):
    vit.eval()
    for images, _ in loader:
        hidden = vit(images.to(device)).last_hidden_state
        store.add(hidden)  # also: kept-view
    return torch.cat(store.tokens).cpu()
