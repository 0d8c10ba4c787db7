# Priorities of a replay memory are added up the nodes of a flat tree, with the graphs of the errors.
import torch


class Tree:
    def __init__(self, size):
        self.size = size
        self.sums = [0.0] * (2 * size)

    def set(self, i, priority):
        node = i + self.size
        change = priority - self.sums[node]
        self.sums[node] = priority
        while node > 1:
            node //= 2
            self.sums[node] += change  # finding: summed-loss|carried-state


def train(memory, loader):
    net = torch.nn.Linear(8, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    tree = Tree(1024)
    for index, x, y in loader:
        error = (net(x).squeeze(1) - y).abs()
        loss = error.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for i, e in zip(index, error):
            tree.set(i, e)  # also: summed-loss|carried-state
