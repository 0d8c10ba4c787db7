"""Two tasks on one trunk."""
import torch
from torch import nn


class TwoTasks(nn.Module):
    def __init__(self, dim=32, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.classify = nn.Linear(hidden, 5)
        self.regress = nn.Linear(hidden, 2)

    def forward(self, x):
        h = self.trunk(x)
        return self.classify(h), self.regress(h)


def losses(model, x, label, value):
    logits, estimate = model(x)
    return nn.functional.cross_entropy(logits, label), nn.functional.mse_loss(estimate, value)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = TwoTasks().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    rule = torch.randn(32, 5, device=device)
    results = []
    for step in range(120):
        x = torch.randn(128, 32, device=device)
        task_a, task_b = losses(model, x, (x @ rule).argmax(1), x[:, :2].sin())
        optimizer.zero_grad()
        (task_a + 0.5 * task_b).backward(retain_graph=True)  # leak?
        optimizer.step()
        results.append((task_a, task_b))  # leak
    print("last ten: %.3f %.3f" % tuple(sum(column) / 10 for column in zip(*[(float(a), float(b)) for a, b in results[-10:]])))


main()
