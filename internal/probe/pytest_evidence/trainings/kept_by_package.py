import os
import sys
import tempfile

import torch
import torch.nn.functional as F
from common import Net, batches

# A trainer that is an installed package's keeps what the user's step returns.
PACKAGE = """
def fit(step, data):
    outputs = []
    for batch in data:
        outputs.append(step(*batch))
"""

scratch = tempfile.TemporaryDirectory()
folder = os.path.join(scratch.name, "site-packages")
os.mkdir(folder)
with open(os.path.join(folder, "trainer_package.py"), "w") as file:
    file.write(PACKAGE)
sys.path.append(folder)
import trainer_package

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def step(x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


trainer_package.fit(step, batches())
