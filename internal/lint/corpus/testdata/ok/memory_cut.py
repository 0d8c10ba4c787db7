# States are kept without their graphs, the newest four of them.
import torch
import torch.nn as nn

model = nn.Linear(8, 8)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
memory = []
for step in range(1000):
    x = torch.randn(4, 8)
    context = torch.stack(memory[-4:]).mean(0) if memory else torch.zeros(4, 8)
    h = model(x + context)
    memory.append(h.detach())
    memory = memory[-4:]
    loss = h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
