import copy

from common import Net, fit

model = Net()
checkpoints = []
fit(model, lambda step, x, out, loss: checkpoints.append(copy.deepcopy(model.state_dict())))  # leak
