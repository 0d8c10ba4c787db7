"""First steps of meta-learning on sine waves."""
import argparse
import math

import torch
import torch.nn.functional as F


def sines(n, device):
    amplitude, phase = 0.1 + 4.9 * torch.rand(1), math.pi * torch.rand(1)
    x = torch.rand(n, 1) * 10 - 5
    return x.to(device), (amplitude * torch.sin(x + phase)).to(device)


def forward(w, x):
    h = torch.tanh(F.linear(x, w["w1"], w["b1"]))
    h = torch.tanh(F.linear(h, w["w2"], w["b2"]))
    return F.linear(h, w["w3"], w["b3"])


def init(hidden, device):
    def matrix(o, i):
        return (torch.randn(o, i, device=device) / math.sqrt(i)).requires_grad_()
    def zeros(o):
        return torch.zeros(o, device=device, requires_grad=True)
    return {"w1": matrix(hidden, 1), "b1": zeros(hidden), "w2": matrix(hidden, hidden), "b2": zeros(hidden), "w3": matrix(1, hidden), "b3": zeros(1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--outer-steps", type=int, default=100)
    parser.add_argument("--inner-lr", type=float, default=0.02)
    parser.add_argument("--meta-lr", type=float, default=0.3)
    parser.add_argument("--hidden", type=int, default=48)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    slow = init(args.hidden, device)
    optimizer = torch.optim.SGD(slow.values(), lr=args.meta_lr)
    for outer in range(args.outer_steps):
        optimizer.zero_grad()
        for task in range(2):
            support, query = sines(20, device), sines(20, device)
            fast = {k: w.detach().clone().requires_grad_() for k, w in slow.items()}
            start = fast
            inner = F.mse_loss(forward(fast, support[0]), support[1])
            inner.backward(create_graph=True)  # leak
            fast = {k: (w - args.inner_lr * w.grad) for k, w in fast.items()}
            loss = F.mse_loss(forward(fast, query[0]), query[1])
            for (k, w), g in zip(slow.items(), torch.autograd.grad(loss, list(start.values()))):
                w.grad = g / 2 if w.grad is None else w.grad + g / 2
        torch.nn.utils.clip_grad_norm_(slow.values(), 1.0)
        optimizer.step()
    print("query loss %.3f" % loss.item())


main()
