"""The target is sacred: what it computes, prints and sets is what it would be without us."""

import glob
import os
import random
import signal
import sys
import time
import unittest

from harness import Flight, Run, Zygote

WEIGHTS = """
import torch, hashlib, sys, random
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Dropout(0.2), torch.nn.ReLU(), torch.nn.Linear(16, 1))
o = torch.optim.Adam(model.parameters(), lr=0.01)
data = torch.utils.data.TensorDataset(torch.randn(100, 8))
kept = []
def train(steps):
    done = 0
    while done < steps:
        for (x,) in torch.utils.data.DataLoader(data, batch_size=4, shuffle=True):
            loss = model(x).pow(2).mean()
            o.zero_grad(); loss.backward(); o.step(); kept.append(loss)
            done += 1
            if done == steps:
                break
def digest():
    h = hashlib.sha256()
    for p in model.parameters():
        h.update(p.detach().numpy().tobytes())
    return h.hexdigest() + str(torch.rand(1).item()) + str(len(kept))
"""

HOSTILE = """
import sys, gc, atexit, io, os
os.environ.pop("TORCHLEAK_DIR")
gc.disable(); gc.callbacks.clear(); gc.freeze()
out, sys.stdout = sys.stdout, io.StringIO()
sys.excepthook = lambda *a: None
calls = [0]
def profile(frame, event, arg):
    calls[0] += 1
""" + WEIGHTS + """
sys.setprofile(profile)
for name in [n for n in sys.modules if n.startswith(("_torchleak", "torchleak", "sitecustomize"))]:
    del sys.modules[name]
sys.meta_path[:] = [f for f in sys.meta_path if not type(f).__module__.startswith("_torchleak")]
train(50)
sys.setprofile(None)
atexit.register(lambda: None)
sys.stdout = out
print(digest())
"""


class TargetTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()

    def tearDown(self):
        self.run_.close()

    def test_same_weights(self):
        code = WEIGHTS + "train(50)\nprint(digest())\n"
        plain = self.run_.go(code, probe=False)
        self.assertEqual(os.listdir(self.run_.dir), [])
        self.assertEqual(self.run_.go(code), plain)
        self.assertEqual(self.run_.err, "")
        self.assertEqual(self.run_.flight.steps, 50)
        hostile = Run()
        try:
            self.assertEqual(hostile.go(HOSTILE), plain)
            self.assertEqual((hostile.err, hostile.flight.steps, hostile.flight.errors), ("", 50, 0))
        finally:
            hostile.close()

    @unittest.skipIf(sys.version_info < (3, 14), "older Pythons evaluate annotations at once")
    def test_annotations_stay_unevaluated(self):
        out = self.run_.go("""
import sys, torch
evaluated = []
class Meter:
    best: evaluated.append("class")
    def __init__(self):
        self.kept = []
    def add(self, loss: evaluated.append("function")):
        self.kept.append(loss)
meter: evaluated.append("module") = Meter()
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
def train(steps):
    for _ in range(steps):
        loss = model(torch.randn(4, 8)).sum()
        loss.backward()
        optimizer.step()
        meter.add(loss)
train(20)
words = sys.modules["_torchleak.probe"].probe._recorder.flight.words
words[33], words[34], words[35], words[36] = 1, 0, 1, 300
words[32] = 1
train(20)
print(words[23], evaluated)
""")
        self.assertEqual((self.run_.err, out), ("", "1 []\n"))
        (evidence,) = glob.glob(os.path.join(self.run_.dir, "*.evidence-1.json"))
        with open(evidence) as file:
            self.assertIn("meter", file.read())

    def test_directory_that_is_not_there(self):
        out = self.run_.go("import torch; print(type(vars(torch.nn.Module)['eval']).__name__, hasattr(torch.utils.data._utils.worker._worker_loop, '__wrapped__'))",
                           env={"TORCHLEAK_DIR": os.path.join(self.run_.base, "no", "such")})
        self.assertEqual(out, "function False\n")
        self.assertEqual(self.run_.err, "")


class KillTest(unittest.TestCase):
    def test_every_record_is_whole(self):
        run = Run()
        zygote = run.start("""
import os, sys, torch
print("ready", flush=True)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        model = torch.nn.Linear(8, 1)
        o = torch.optim.SGD(model.parameters(), lr=0.01)
        print(os.getpid(), flush=True)
        while True:
            o.zero_grad(); model(torch.randn(4, 8)).sum().backward(); o.step()
    os.waitpid(pid, 0)
""", stdin=-1)
        try:
            self.assertEqual(zygote.stdout.readline(), "ready\n")
            seen = set()
            for _ in range(10):
                zygote.stdin.write("\n")
                zygote.stdin.flush()
                pid = int(zygote.stdout.readline())
                path = self.recorder(run, pid)
                time.sleep(random.random() / 10)
                os.kill(pid, signal.SIGKILL)
                flight = Flight(path)  # fails on a torn record
                self.assertGreater(flight.written, 0)
                self.assertEqual(flight.state, 0)
                seen.add(flight.written)
            self.assertGreater(len(seen), 1)
        finally:
            _, err = zygote.communicate(timeout=60)
            run.close()
        self.assertEqual(err, "")

    def recorder(self, run, pid):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for name in os.listdir(run.dir):
                if name.startswith("%d-" % pid) and name.endswith(".flight"):
                    path = os.path.join(run.dir, name)
                    with open(path, "rb") as file:
                        if any(file.read(40)[32:]):
                            return path
            time.sleep(0.005)
        raise AssertionError("no flight recorder")


class TroubleTest(unittest.TestCase):
    """Trouble with the disk, in forked children."""

    HEAD = """
import torch, os, shutil, resource, sys
model = torch.nn.Linear(8, 1)
def train():
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    for i in range(20):
        o.zero_grad(); model(torch.randn(4, 8)).sum().backward(); o.step()
probe = lambda: sys.modules["_torchleak.probe"].probe
"""

    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def test_disk_that_is_full(self):
        pid = self.zygote.run_only(self.HEAD + """
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
train()
assert probe()._off
""")
        self.assertNotIn(pid, [flight.pid for flight in self.zygote.run.flights])
        self.assertIn("no flight recorder", self.zygote.run.hellos[pid]["notes"][0])

    def test_directory_that_goes_away(self):
        self.zygote.run_only(self.HEAD + """
shutil.rmtree(os.environ["TORCHLEAK_DIR"])
train()
assert probe()._off
""")
        os.makedirs(self.zygote.run.dir, exist_ok=True)

    def test_reads_that_fail(self):
        # Errors of our own end the recording, never the training.
        flight = self.zygote.go(self.HEAD + """
recorder = __import__("_torchleak.recorder").recorder
def broken(self, *a):
    raise RuntimeError("ours")
train()
recorder.Recorder.record = broken
train()
""")
        self.assertEqual((flight.steps, flight.state), (20, 3))
