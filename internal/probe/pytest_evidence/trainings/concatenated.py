import torch
from common import Net, fit

scores = torch.zeros(0, 4)


def record(step, x, out, loss):
    global scores
    scores = torch.cat([scores, out.detach()])  # leak


fit(Net(), record)
