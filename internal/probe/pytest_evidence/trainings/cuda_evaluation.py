import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(1024, 256, device="cuda")
y = torch.zeros(1024, dtype=torch.long, device="cuda")
validation = []


def evaluate():
    model.eval()
    validation.append(F.cross_entropy(model(x), y))  # leak
    model.train()


for step in range(24):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    evaluate()
result = None
