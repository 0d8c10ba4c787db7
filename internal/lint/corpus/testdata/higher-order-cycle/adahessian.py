# A second-order optimizer asks for gradients with a graph; zero_grad fills them with zeros only.
import torch
from adahessian import AdaHessian


def train(net, loader, criterion, epochs):
    optimizer = AdaHessian(net.parameters())
    for epoch in range(epochs):
        net.train()
        for inputs, targets in loader:
            optimizer.zero_grad(set_to_none=False)  # also: zero-grad-set-to-none-false
            loss = criterion(net(inputs), targets)
            loss.backward(create_graph=True)  # finding: higher-order-cycle
            optimizer.step()
