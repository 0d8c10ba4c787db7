# A script keeps each loss for the plot at its end, as a tensor.
import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args()


def main():
    args = parse()
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 3, (512,)))
    loader = DataLoader(data, batch_size=32, shuffle=True)
    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3))
    criterion = nn.CrossEntropyLoss()
    opt = optim.SGD(net.parameters(), lr=args.lr)
    train_losses = []
    for epoch in range(args.epochs):
        for inputs, labels in loader:
            opt.zero_grad()
            loss = criterion(net(inputs), labels)
            loss.backward()
            opt.step()
            train_losses.append(loss)  # finding: kept-loss
        print(f"epoch {epoch}: {train_losses[-1].item():.4f}")


if __name__ == "__main__":
    main()
