"""Copy task with an LSTM controller."""
import torch
from torch import nn

from collector import StatisticsCollector


class Worker:
    def __init__(self, device, width=8, length=12, hidden=96):
        self.device = device
        self.width, self.length = width, length
        self.rnn = nn.LSTM(width, hidden, batch_first=True).to(device)
        self.out = nn.Linear(hidden, width).to(device)
        params = list(self.rnn.parameters()) + list(self.out.parameters())
        self.optimizer = torch.optim.RMSprop(params, lr=1e-3)
        self.collector = StatisticsCollector()
        self.collector.add_statistics("loss", "%12.8f")
        self.collector.add_statistics("episode", "%06d")

    def episode_batch(self, size=16):
        bits = torch.bernoulli(torch.full((size, self.length, self.width), 0.5))
        blank = torch.zeros_like(bits)
        return torch.cat([bits, blank], 1).to(self.device), bits.to(self.device)

    def run(self, episodes):
        for episode in range(episodes):
            inputs, targets = self.episode_batch()
            self.optimizer.zero_grad()
            hidden, _ = self.rnn(inputs)
            logits = self.out(hidden[:, self.length:])
            loss = nn.functional.binary_cross_entropy_with_logits(logits, targets)
            loss.backward()
            self.optimizer.step()
            self.collector["loss"] = loss  # leak?
            self.collector["episode"] = episode
            if episode % 50 == 0:
                print(self.collector.export())


if __name__ == "__main__":
    torch.manual_seed(5)
    Worker("cuda" if torch.cuda.is_available() else "cpu").run(120)
