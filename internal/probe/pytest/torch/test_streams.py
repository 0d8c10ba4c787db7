"""What a target prints to its streams, warnings and tracebacks among it, is the same to the byte under the probe,
also while it is looked at closely."""

import unittest

from harness import Run

NOISY = """
import os, sys, traceback, warnings
import torch

def warn():
    for level in range(1, 6):
        warnings.warn("level %d" % level, stacklevel=level)

class Inner(torch.nn.Module):
    def forward(self, x):
        warn()
        return x * 2

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.inner = torch.nn.Linear(8, 8), Inner()
    def forward(self, x, fail=False):
        warn()
        if fail:
            raise ValueError("forward")
        return self.inner(self.linear(x))

class Data(torch.utils.data.Dataset):
    fail = False
    def __len__(self):
        return 2
    def __getitem__(self, i):
        warn()
        if self.fail:
            raise ValueError("data")
        return torch.ones(8)

class Optimizer(torch.optim.SGD):
    fail = False
    def step(self, closure=None):
        warn()
        if self.fail:
            raise ValueError("optimizer")
        return super().step(closure)

def fails(gradient):
    raise ValueError("backward")

def attempt(function):
    try:
        return function()
    except Exception:
        traceback.print_exc()

def look_closer():
    probe = sys.modules.get("_torchleak.probe")
    if probe is not None:
        words = probe.probe._recorder.flight.words
        for at, value in enumerate((1, 0, 1, 5000), 33):
            words[at] = value
        words[32] = 1

def train():
    torch.manual_seed(0)
    model, data = Model(), Data()
    model.linear.register_full_backward_hook(lambda *a: warn())  # torch itself warns: no input needs gradients
    optimizer, kept = Optimizer(model.parameters(), lr=0.01), []
    for step in range(24):
        if step == 6:
            look_closer()
        optimizer.fail = data.fail = False
        batches = attempt(lambda: list(torch.utils.data.DataLoader(data, batch_size=2)))
        for x in batches or [torch.ones(2, 8)]:
            kept.append(x)
            attempt(lambda: model(x, fail=True))
            loss = attempt(lambda: model(x).sum())
            if loss is None:
                loss = model.linear.weight.sum()
            attempt(loss.backward)
            broken = model.linear.weight.sum() * 2
            broken.register_hook(fails)
            attempt(broken.backward)
            attempt(optimizer.step)
            attempt(lambda: torch.optim.SGD.step(optimizer))
        attempt(lambda: torch.optim.SGD([], lr=1))
        optimizer.fail = data.fail = True
        attempt(optimizer.step)
        attempt(lambda: list(torch.utils.data.DataLoader(data)))

for filter in ("default", "always", "error"):
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        warnings.simplefilter(filter)
        train()
        sys.stderr.flush()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
"""


class StreamsTest(unittest.TestCase):
    def test_warnings_and_tracebacks(self):
        plain, probed = Run(), Run()
        self.addCleanup(plain.close)
        self.addCleanup(probed.close)
        plain.go(NOISY, probe=False)
        probed.go(NOISY)
        self.assertGreater(plain.err.count("ValueError: forward"), 40)
        self.assertIn("UserWarning: level 3", plain.err)
        differ = [pair for pair in zip(probed.err.replace(probed.base, plain.base).splitlines(), plain.err.splitlines())
                  if pair[0] != pair[1]]
        self.maxDiff = None
        self.assertEqual((differ[:3], len(probed.err)), ([], len(plain.err)))
        self.assertEqual([(flight.done, flight.errors) for flight in probed.flights], [(1, 0)] * 3)
