import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(256, 512)
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        features.append(hidden.detach() * 2)  # leak
        return self.head(hidden)


features = []
model = Net().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(24):
    x = torch.randn(1024, 256, device="cuda")
    loss = F.cross_entropy(model(x), torch.zeros(1024, dtype=torch.long, device="cuda"))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
result = hasattr(torch._C, "_cuda_isHistoryEnabled") and torch._C._cuda_isHistoryEnabled()
