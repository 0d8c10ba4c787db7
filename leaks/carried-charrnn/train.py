"""Character RNN after the well-known tutorial, with updates by hand."""
import torch
from torch import nn

text = ("the step is the clock and the memory at the same point of every step should be the same " * 40)
letters = sorted(set(text))
index = torch.tensor([letters.index(c) for c in text])
device = "cuda" if torch.cuda.is_available() else "cpu"
learning_rate = 0.05
torch.manual_seed(0)


class RNN(nn.Module):
    def __init__(self, n, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(n + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, n)

    def forward(self, letter, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((letter, hidden), 1)))
        return self.h2o(hidden), hidden

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size, device=device)


rnn = RNN(len(letters), 128).to(device)
one_hot = nn.functional.one_hot(index, len(letters)).float().to(device)
index = index.to(device)
criterion = nn.CrossEntropyLoss()


def train(chunk, target, hidden):
    rnn.zero_grad()
    loss = 0
    for i in range(len(chunk)):
        output, hidden = rnn(chunk[i], hidden)  # leak?
        loss = loss + criterion(output, target[i])
    loss.backward(retain_graph=True)  # leak?
    for p in rnn.parameters():
        p.data.add_(p.grad.data.clamp(-1, 1), alpha=-learning_rate / len(chunk))
    return hidden, loss.item() / len(chunk)


hidden = rnn.init_hidden()
for start in range(0, 90 * 4, 4):
    chunk = one_hot[start:start + 4, None]
    target = index[start + 1:start + 5, None]
    hidden, loss = train(chunk, target, hidden)  # leak
print("loss %.3f" % loss)
