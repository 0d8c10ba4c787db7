"""Padded batches of random lengths through a GRU."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Classifier(nn.Module):
    def __init__(self, vocab=80, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, 3)

    def forward(self, ids):
        return self.out(self.rnn(self.embed(ids))[0].mean(1))


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = Classifier().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(200):
    lengths = torch.randint(3, 40, (12,)).tolist()
    ids = pad_sequence([torch.randint(1, 80, (n,)) for n in lengths], batch_first=True).to(device)
    labels = (ids[:, 0] % 3)
    loss = nn.functional.cross_entropy(model(ids), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f" % loss.item())
