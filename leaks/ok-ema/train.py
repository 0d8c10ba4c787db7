"""Mean teacher for semi-supervised classification."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel


def mlp():
    return nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 3))


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
student = mlp().to(device)
teacher = AveragedModel(student, avg_fn=lambda average, new, count: 0.98 * average + 0.02 * new)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
rule = torch.randn(16, 3, device=device)
for step in range(120):
    x = torch.randn(128, 16, device=device)
    noisy = x + 0.1 * torch.randn_like(x)
    logits = student(noisy)
    with torch.no_grad():
        soft = teacher(x).softmax(1)
    supervised = nn.functional.cross_entropy(logits[:32], (x[:32] @ rule).argmax(1))
    loss = supervised + (logits.softmax(1) - soft).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    teacher.update_parameters(student)
print("loss %.3f" % loss.item())
