# A perceptron in numpy with forward, backward and a loss history.
import numpy as np


class Model:
    def __init__(self, n_in, n_out):
        self.w = np.random.randn(n_in, n_out) * 0.01
        self.cache = []
        self.hidden = None

    def forward(self, x):
        self.hidden = np.maximum(x @ self.w, 0)
        self.cache.append(x.mean())
        return self.hidden

    def backward(self, grad, x):
        return x.T @ (grad * (self.hidden > 0))


def train(model, data, lr=0.1):
    losses = []
    for x, y in data:
        out = model.forward(x)
        loss = ((out - y) ** 2).mean()
        model.w -= lr * model.backward(2 * (out - y) / out.size, x)
        losses.append(loss)
    return losses
