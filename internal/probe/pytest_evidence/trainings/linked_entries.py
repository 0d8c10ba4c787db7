from common import Net, batches, F
import torch


class Entry:
    def __init__(self, value, former):
        self.value = value
        self.former = former


class Trainer:
    last = None

    def run(self, model, optimizer):
        for x, y in batches():
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            noise = torch.randn(8, 16)
            self.last = Entry(noise, self.last)  # leak


model = Net()
Trainer().run(model, torch.optim.SGD(model.parameters(), lr=0.01))
