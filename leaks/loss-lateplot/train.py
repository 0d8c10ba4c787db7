"""Triplet embedding; the plot leaves the noisy first epochs out."""
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Embedder(nn.Module):
    def __init__(self, dim=64, out=32):
        super().__init__()
        self.fc1 = nn.Linear(dim, 256)
        self.bn = nn.BatchNorm1d(256)
        self.fc2 = nn.Linear(256, out)

    def forward(self, x):
        return F.normalize(self.fc2(F.relu(self.bn(self.fc1(x)))), dim=1)


class TripletTrainer:
    def __init__(self, epochs=8, steps_per_epoch=20, plot_from=3, device="cpu"):
        self.epochs, self.steps_per_epoch, self.plot_from = epochs, steps_per_epoch, plot_from
        self.device = device
        self.net = Embedder().to(device)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optim, step_size=2, gamma=0.5)
        self.plot_values = defaultdict(list)
        self.centers = torch.randn(20, 64)

    def sample(self, n=96):
        a = torch.randint(20, (n,))
        b = (a + torch.randint(1, 20, (n,))) % 20
        noise = lambda: 0.3 * torch.randn(n, 64)
        return [t.to(self.device) for t in (self.centers[a] + noise(), self.centers[a] + noise(), self.centers[b] + noise())]

    def record(self, name, value, epoch):
        if epoch >= self.plot_from:
            self.plot_values[name].append(value)  # leak

    def fit(self):
        for epoch in range(self.epochs):
            for _ in range(self.steps_per_epoch):
                anchor, positive, negative = (self.net(x) for x in self.sample())
                loss = F.triplet_margin_loss(anchor, positive, negative, margin=0.5)
                self.optim.zero_grad()
                loss.backward()
                self.optim.step()
                self.record("triplet", loss, epoch)  # leak?
            self.sched.step()
        return self.plot_values


if __name__ == "__main__":
    torch.manual_seed(0)
    values = TripletTrainer(device="cuda" if torch.cuda.is_available() else "cpu").fit()
    print("points in the plot:", len(values["triplet"]))
