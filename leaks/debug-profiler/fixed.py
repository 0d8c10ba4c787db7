"""Sequence tagger with a profile of the operators."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=120, dim=24, tags=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 24, 3, padding=1)
        self.out = nn.Linear(24, tags)

    def forward(self, ids):
        hidden = torch.relu(self.conv(self.embed(ids).transpose(1, 2)))
        return self.out(hidden.transpose(1, 2))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Tagger().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(100):
        ids = torch.randint(0, 120, (8, 12), device=device)
        loss = nn.functional.cross_entropy(model(ids).flatten(0, 1), (ids % 8).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 4:
            prof = torch.autograd.profiler.profile()
            prof.__enter__()
        elif step == 8:
            prof.__exit__(None, None, None)
    table = prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=3)
    print("loss %.3f" % loss.item(), "rows", len(table.splitlines()))


main()
