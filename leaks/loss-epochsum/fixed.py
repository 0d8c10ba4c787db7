"""Label model: learns accuracies of noisy annotators."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class LabelModel(nn.Module):
    def __init__(self, annotators, classes):
        super().__init__()
        self.confusion = nn.Parameter(torch.eye(classes).repeat(annotators, 1, 1) * 2)
        self.prior = nn.Parameter(torch.zeros(classes))
        self.net = nn.Sequential(nn.Linear(annotators * classes, 384), nn.ReLU(), nn.Linear(384, classes))

    def forward(self, votes):
        likelihood = F.log_softmax(self.confusion, dim=-1)
        scores = torch.einsum("bac,akc->bk", votes, likelihood) + self.prior
        return scores + self.net(votes.flatten(1))


def make_votes(n, annotators=12, classes=5):
    truth = torch.randint(classes, (n,))
    noise = torch.randint(classes, (n, annotators))
    keep = torch.rand(n, annotators) < 0.7
    votes = torch.where(keep, truth[:, None].expand(-1, annotators), noise)
    return F.one_hot(votes, classes).float(), truth


votes, truth = make_votes(150 * 256)
loader = DataLoader(TensorDataset(votes, truth), batch_size=256, shuffle=True)
model = LabelModel(12, 5).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(1):
    running_loss = 0.0
    for i, (inputs, labels) in enumerate(loader):
        inputs, labels = inputs.to(device), labels.to(device)
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = F.cross_entropy(outputs, labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
        if i % 50 == 49:
            print("[%d, %4d] loss: %.3f" % (epoch + 1, i + 1, running_loss / (i + 1)))
print("done")
