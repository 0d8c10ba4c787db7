"""What a signal handler raises reaches the program, wherever it arrives: none may be lost in code of ours."""

import unittest

from harness import Zygote, torch_version

# A timer that has run out while two more whole steps went by was lost on its way.
HEAD = """
import os, random, signal, sys, torch, traceback
probe = sys.modules["_torchleak.probe"].probe
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))
data, kept = torch.randn(2, 4), []
seed = random.randrange(1 << 30)
random.seed(seed)

# No OSError: the import system swallows those of its own looks at files.
class Late(Exception):
    pass

where = [""]  # the stack on which the last handler ran
def late(number, frame):
    where[0] = "".join(traceback.format_stack(frame))
    raise Late("late")
def broken(number, frame):
    where[0] = "".join(traceback.format_stack(frame))
    raise RuntimeError("a worker died")
def leave(number, frame):
    where[0] = "".join(traceback.format_stack(frame))
    sys.exit(3)
handlers = [(signal.default_int_handler, KeyboardInterrupt), (late, Late), (broken, RuntimeError), (leave, SystemExit)]

def by_optimizer():
    model(data).sum().backward()
    o.step()
def by_hand():
    model(data).sum().backward()
    for p in model.parameters():
        p.grad = None
by_hand()  # the first backward imports more of torch

def heard(step, longest):
    torch.set_grad_enabled(True)  # an interrupt between two instructions of torch's own step leaves it off
    handler, raised = random.choice(handlers)
    where[0] = "in C"
    signal.signal(signal.SIGALRM, handler)
    left = 3
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, longest))
        while left:
            step()
            # No `if`: from Python 3.13 on a way back to the loop's head that it saves is in no try's table of instructions.
            left -= not signal.getitimer(signal.ITIMER_REAL)[0]
    except raised:
        return
    raise AssertionError("%s was lost, seed %d, %s" % (raised.__name__, seed, where[0]))
"""


# On torch 1.13 a tensor that dies in C++ complains of whoever still knows its Python object. Frames that an exception
# came through may be such: the handler raises it in the middle of torch's own step, or of a census.
COMPLAINT = r".*UserWarning: Deallocating Tensor that still has live PyObject references.*\n(  .*\n)?"


class InterruptsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote(excused=COMPLAINT if torch_version() < (2, 0) else None)

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def check(self, code):
        return self.zygote.go(HEAD + code)

    def test_with_an_optimizer(self):
        flight = self.check("""
o = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(200):
    heard(by_optimizer, 0.004)
""")
        self.assertEqual((flight.clock, flight.state, flight.errors), ("optimizer", 0, 0))

    def test_with_ends_of_backward_and_collections(self):
        flight = self.check("""
import gc
gc.set_threshold(10)
for _ in range(200):
    heard(by_hand, 0.004)
""")
        self.assertEqual((flight.clock, flight.state, flight.errors), ("backward", 0, 0))

    def test_in_the_first_steps(self):
        # Python's own import loses an OSError that arrives while it looks for a file: all is imported before.
        self.zygote.run_only(HEAD + """
by_hand()
for trial in range(100):
    random.seed(seed + trial)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            heard(by_hand, 0.01)
            heard(by_hand, 0.01)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0, (trial, seed)
""")

    def test_while_evidence_is_gathered(self):
        flight = self.check("""
import _torchleak.evidence
o = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(20):
    by_optimizer()
words = probe._recorder.flight.words
words[33], words[34], words[35], words[36] = 1, 0, 1, 300
def step():
    out = model(data)
    out.sum().backward()
    o.step()
    kept.append(out)
    del kept[:-100]
    if words[23] == words[32]:
        words[32] += 1
for _ in range(200):
    heard(step, 0.1)
torch.set_grad_enabled(True)
answered = words[23]
for _ in range(1000):
    step()
    if words[23] > answered:
        break
else:
    raise AssertionError("an interrupted request was not answered")
""")
        self.assertEqual(flight.errors, 0)
