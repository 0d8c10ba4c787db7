"""Copy task with a curriculum of lengths; the newest batch and its output stay for inspection."""
import torch
from torch import nn


class Copier(nn.Module):
    def __init__(self, width=6, hidden=48):
        super().__init__()
        self.rnn = nn.GRU(width + 1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, width)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Copier().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    inspect = None
    for step in range(200):
        length = 2 + min(step, 60) // 6
        bits = torch.bernoulli(torch.full((24, length, 6), 0.5, device=device))
        marker = torch.zeros(24, 2 * length, 1, device=device)
        marker[:, length:] = 1
        x = torch.cat([torch.cat([bits, torch.zeros_like(bits)], 1), marker], 2)
        logits = model(x)[:, length:]
        loss = nn.functional.binary_cross_entropy_with_logits(logits, bits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        inspect = (x, logits)
    print("loss %.3f" % loss.item(), tuple(inspect[1].shape))


main()
