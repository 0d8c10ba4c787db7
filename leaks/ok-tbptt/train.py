"""Language model over a long stream with a carried, detached state."""
import torch
from torch import nn


class LM(nn.Module):
    def __init__(self, vocab=40, dim=48):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(vocab, dim), nn.LSTM(dim, dim, batch_first=True), nn.Linear(dim, vocab)

    def forward(self, ids, state):
        hidden, state = self.rnn(self.embed(ids), state)
        return self.out(hidden), state


def repackage(state):
    return None if state is None else tuple(s.detach() for s in state)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    stream = (torch.arange(8 * 1201).view(8, -1) * 7 + torch.randint(0, 3, (8, 1201))) % 40
    model, state = LM().to(device), None
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for start in range(0, 1200, 10):
        ids = stream[:, start:start + 11].to(device)
        logits, state = model(ids[:, :-1], repackage(state))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
    print("loss %.3f" % loss.item())


main()
