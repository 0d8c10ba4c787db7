# An evaluation says train(False) and leaves gradients on.
import torch
import tqdm


def evaluate(net, loader):
    correct, scores = 0, []
    net.train(False)
    for x, y in tqdm.tqdm(loader):
        s = net(x)  # finding: grad-in-evaluation
        correct += (s.argmax(1) == y).sum().item()
        scores.extend(s.softmax(1)[:, 1])
    net.train(True)
    return correct, scores


def fit(net, loader, opt, crit):
    for epoch in range(9):
        for x, y in loader:
            opt.zero_grad()
            crit(net(x), y).backward()
            opt.step()
        evaluate(net, loader)
