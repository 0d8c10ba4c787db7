"""A request is answered by a file, and the target goes on."""

import glob
import json
import os
import time
import unittest

from harness import EVIDENCE, Flight, Header, Run, ask

LEAKS = """
import os, sys, time, torch
BREAK
model = torch.nn.Linear(32, 32)
o = torch.optim.SGD(model.parameters(), lr=0.01)
kept = []
stop = sys.argv[1]
while not os.path.exists(stop):
    out = model(torch.randn(64, 32))
    o.zero_grad(); out.sum().backward(); o.step()
    kept.append(out)
    time.sleep(0.002)
print("done")
"""


class ControlTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()
        self.stop = os.path.join(self.run_.base, "stop")

    def tearDown(self):
        self.run_.close()

    def answer(self, break_=""):
        """Asks a running training; its evidence, and its flight recorder at the end."""
        process = self.run_.start(LEAKS.replace("BREAK", break_), self.stop)
        try:
            path = self.run_.wait(process, 20)
            ask(path, 1)
            end = time.monotonic() + 120
            while Header(path).done != 1:
                self.assertLess(time.monotonic(), end, "no answer")
                self.assertIsNone(process.poll())
                time.sleep(0.05)
            answered = Header(path)
            self.run_.wait(process, answered.steps + 20)
        finally:
            open(self.stop, "w").close()
            out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out, err), (0, "done\n", ""))
        (file,) = glob.glob(os.path.join(self.run_.dir, "*.evidence-1.json"))
        self.assertTrue(file.startswith(path[: -len(".flight")]))
        with open(file) as text:
            return json.load(text), Flight(path)

    def test_answered(self):
        evidence, flight = self.answer()
        self.assertEqual((evidence["evidence"], evidence["request"], evidence["memory"]), (1, 1, "host"))
        self.assertTrue(evidence["complete"], evidence["notes"])
        self.assertGreater(flight.evidence_ns, 0)
        marked = [r.step for r in flight.records if r.flags & EVIDENCE]
        self.assertGreater(len(marked), 0)
        self.assertLess(marked[-1], flight.records[-1].step)
        self.assertGreater(marked[0], 20)

    def test_exit_and_fork_in_the_middle(self):
        self.run_.go("""
import atexit, os, sys
def at_exit():
    assert tapped() == before, tapped()
    print("put back")
atexit.register(at_exit)
import torch
Module = torch.nn.Module
def tapped():
    return type(vars(Module)["register_forward_hook"]).__name__, sys.gettrace() is None
before = tapped()
probe = sys.modules["_torchleak.probe"].probe
model = torch.nn.Linear(32, 32)
o = torch.optim.SGD(model.parameters(), lr=0.01)
kept = []
def step():
    out = model(torch.randn(4, 32))
    o.zero_grad(); out.sum().backward(); o.step(); kept.append(out)
for i in range(5):
    step()
words = probe._recorder.flight.words
for at, value in enumerate((1, 0, 1, 5000), 33):
    words[at] = value
words[32] = 1
for i in range(100):
    step()
    if tapped() != before:
        break
else:
    raise AssertionError("no watch")
pid = os.fork()
if pid == 0:
    os._exit(0 if tapped() == before else 1)
assert os.waitpid(pid, 0)[1] == 0
assert tapped() != before
# What is registered before torch is imported runs behind the probe.
""")
        self.assertEqual(self.run_.out, "put back\n")
        flight = self.run_.flight
        self.assertEqual((flight.state, flight.done, flight.errors), (2, 1, 0))
        (file,) = glob.glob(os.path.join(self.run_.dir, "*.evidence-1.json"))
        with open(file) as text:
            evidence = json.load(text)
        self.assertFalse(evidence["complete"])
        self.assertIn("kept", [holder["scope"]["name"] for holder in evidence["holders"]])

    def test_evidence_that_cannot_be_gathered(self):
        evidence, flight = self.answer("sys.modules['_torchleak.evidence'] = None")
        self.assertFalse(evidence["complete"])
        self.assertIn("_torchleak.evidence", evidence["notes"][0])
        self.assertEqual(flight.errors, 1)
