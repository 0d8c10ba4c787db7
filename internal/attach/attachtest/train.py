"""Trains a small model for as long as the file of the first argument is there after its first steps, or for as many steps as a
further argument says. Keeps the losses, unless a further argument is "clean": then it notes beside that file what a step takes
of the processor's time. Ends with what the weights have become."""

import hashlib
import pathlib
import sys
import time

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
trains, pace = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1] + ".pace")
clean = "clean" in sys.argv[2:]
steps = next((int(word) for word in sys.argv[2:] if word != "clean"), None)
made, history, since = 0, [], time.process_time()
while made != steps and (steps is not None or made < 10 or trains.exists()):
    x = torch.randn(64, 32)
    loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    made += 1
    if not clean:
        history.append(loss)
    elif made % 200 == 0:
        pace.write_text("%d %.9f\n" % (made, (time.process_time() - since) / 200))
        since = time.process_time()
    if steps is None:
        time.sleep(0.002)
    if made == 9:
        trains.touch()
weights = [value for p in model.parameters() for value in p.flatten().tolist()]
print("trained", made, "steps", hashlib.sha256(repr(weights).encode()).hexdigest())
