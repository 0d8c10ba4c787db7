"""Digits-like classification with a periodic evaluation."""
import torch
import torch.nn as nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
prototypes = torch.randn(10, 144)
predictions = []


def make(n):
    y = torch.randint(10, (n,))
    return (prototypes[y] + torch.randn(n, 144)).to(device), y.to(device)


model = nn.Sequential(nn.Linear(144, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
test = [make(200) for _ in range(3)]


@torch.no_grad()
def evaluate(model):
    model.eval()
    correct = 0
    predictions.clear()
    for x, y in test:
        predictions.append(model(x))
        correct += (predictions[-1].argmax(1) == y).sum().item()
    model.train()
    return correct / 600


def main():
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for step in range(1, 241):
        x, y = make(256)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            acc = evaluate(model)
            if step % 80 == 0:
                print("step %d accuracy %.3f" % (step, acc))


if __name__ == "__main__":
    main()
