"""Ranking model with a leaderboard of the highest scores seen."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Leaderboard:
    def __init__(self, size, device):
        self.size = size
        self.best = torch.empty(0, device=device)

    def submit(self, scores):
        pool = torch.cat([self.best, scores])
        self.best = torch.topk(pool, min(self.size, len(pool))).values  # leak

    def threshold(self):
        return self.best[-1].item()


class Ranker(nn.Module):
    def __init__(self, users=400, items=900, dim=48):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)
        self.score = nn.Sequential(nn.Linear(2 * dim, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, user, item):
        return self.score(torch.cat([self.users(user), self.items(item)], -1)).squeeze(-1)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Ranker().to(device)
    board = Leaderboard(100, device)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for step in range(120):
        user = torch.randint(0, 400, (512,), device=device)
        good = (user * 2) % 900
        bad = torch.randint(0, 900, (512,), device=device)
        positive, negative = model(user, good), model(user, bad)
        loss = F.softplus(negative - positive).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        board.submit(positive)  # leak?
    print("loss %.3f threshold %.3f" % (loss.item(), board.threshold()))


main()
