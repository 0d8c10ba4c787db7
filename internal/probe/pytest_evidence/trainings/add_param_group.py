import torch
from common import Net, fit

model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def record(step, x, out, loss):
    extra = torch.nn.Parameter(torch.zeros(64))
    extra.grad = torch.ones(64)
    optimizer.add_param_group({"params": [extra]})  # leak


fit(model, record, optimizer=optimizer)
