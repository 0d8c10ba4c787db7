import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim

from metrics import Metric

parser = argparse.ArgumentParser(description="distributed training example")
parser.add_argument("--batch-size", type=int, default=128)
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--base-lr", type=float, default=0.0125)
args = parser.parse_args()
torch.manual_seed(42)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_default_dtype(torch.float32)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 10, kernel_size=5)
        self.conv2 = nn.Conv2d(10, 20, kernel_size=5)
        self.fc1 = nn.Linear(80, 50)
        self.fc2 = nn.Linear(50, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.conv2(x), 2))
        x = F.relu(self.fc1(x.flatten(1)))
        return F.log_softmax(self.fc2(x), dim=1)


model = Net().to(device)
optimizer = optim.SGD(model.parameters(), lr=args.base_lr, momentum=0.9, weight_decay=5e-5)
data = torch.randn(120 * args.batch_size, 1, 20, 20)
target = torch.randint(0, 10, (len(data),))


def train(epoch):
    model.train()
    train_loss = Metric("train_loss")
    for i in range(0, len(data), args.batch_size):
        x, y = data[i:i + args.batch_size].to(device), target[i:i + args.batch_size].to(device)
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        optimizer.step()
        train_loss.update(loss)  # leak?
    print("epoch", epoch, "loss", train_loss.avg.item())


for epoch in range(args.epochs):
    train(epoch)
