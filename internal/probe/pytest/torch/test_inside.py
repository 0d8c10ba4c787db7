"""What the probe puts into torch, and that it takes it out again."""

import unittest

from harness import Zygote, torch_version

HEAD = """
import sys, torch
probe = sys.modules["_torchleak.probe"].probe
Module = torch.nn.Module
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
wrapped = lambda f: hasattr(f, "__wrapped__")
tapped = lambda owner, name: type(vars(owner).get(name)).__module__ == "_torchleak.tap"
"""


class InsideTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote(excused=".*triton not found.*\\n")  # PyTorch's compiler says so where it was left out

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def check(self, code):
        self.zygote.run_only(HEAD + code)

    def test_only_the_outermost_module_is_looked_at_in_a_training(self):
        self.check("""
assert tapped(Module, "__call__")
o = torch.optim.SGD(model.parameters(), lr=0.01)
assert tapped(Module, "__call__")
model(torch.randn(2, 8)).sum().backward()
assert not tapped(Module, "__call__")
assert tapped(torch.nn.Sequential, "__call__") and not tapped(torch.nn.Linear, "__call__")
""")

    def test_classes_pickled_by_value_take_nothing_of_us_along(self):
        self.check("""
import pickle
model(torch.randn(2, 8)).sum().backward()
for owner in (torch.nn.Sequential, torch.utils.data.dataloader._BaseDataLoaderIter, torch.optim.Optimizer):
    for name, value in vars(owner).items():
        if type(value).__module__.startswith("_torchleak"):
            assert b"torchleak" not in pickle.dumps(value), (owner, name)
""")

    def test_most_steps_are_only_counted(self):
        """Where reading has cost enough two steps in three, or more, leave no record. The step of an evaluation
        leaves one, and so does the one in which a request is seen."""
        self.check("""
import struct
cpu = sys.modules["_torchleak.backends.cpu"]
cpu._CREDIT_NS = 0
for gate in (cpu._heap_gate, cpu._blocks_gate, cpu._dear_gate):
    gate.restart()
o = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(1, 91):
    if step in (50, 51):
        model.eval()
    model.train()
    model(torch.randn(2, 8)).sum().backward()
    o.step()
    flight = probe._recorder.flight
    assert flight.longs[8] == step, (flight.longs[8], step)
written = flight.longs[4]
records = [struct.unpack_from("<QQQHBB", flight._map, 4096 + 128 * i) for i in range(written)]
assert written <= 90 // 3 + 3, written
assert [r[1] for r in records if r[5] & 1] == [50, 51], records
flight.words[33:37] = memoryview(struct.pack("<IIII", 1, 0, 1, 300)).cast("I")
flight.words[32] = 1
model(torch.randn(2, 8)).sum().backward()
o.step()
assert probe._control._job is not None
""")

    def test_remove_leaves_nothing(self):
        self.check("""
import gc
loader = torch.utils.data.dataloader._BaseDataLoaderIter
Optimizer = torch.optim.Optimizer
model(torch.randn(2, 8)).sum().backward()
assert [c for c in gc.callbacks if c is probe._signs._entered]
probe.remove()
for f in (Optimizer._optimizer_step_code, torch.utils.data._utils.worker._worker_loop):
    assert not wrapped(f), f
for owner, name in ((Module, "__call__"), (Module, "eval"), (torch.autograd.Variable, "_execution_engine"),
                    (loader, "__next__"), (Optimizer, "__init__"), (torch.nn.Sequential, "__call__")):
    assert not tapped(owner, name), (owner, name)
assert not [c for c in gc.callbacks if c is probe._signs._entered]
""")

    def test_phases(self):
        self.check("""
kept, outputs = [], []
class Keeping(torch.nn.Module):
    def forward(self, x):
        kept.append(x.clone())
        return x
model = torch.nn.Sequential(torch.nn.Linear(64, 4096), torch.nn.ReLU(), Keeping(), torch.nn.Linear(4096, 1))
o = torch.optim.SGD(model.parameters(), lr=0.0001)
phases = probe._make_context(__import__("_torchleak.context").context.Request(1, "host", 1, 300), 0).phases
seen = set()
model[2].register_forward_hook(lambda *a: seen.add(phases.current()))
def loop(n):
    for _ in range(n):
        model(torch.randn(64, 64)).sum().backward(); o.step(); o.zero_grad()
loop(3)
names = ((Module, "__call__"), (torch.autograd.Variable, "_execution_engine"))
originals = [vars(owner)[name] for owner, name in names]
assert phases.current() == ""
phases.enable("host")
loop(10)
assert phases.current() == "rest", phases.current()
grown = phases.growth()
phases.disable()
assert [vars(owner)[name] for owner, name in names] == originals
assert seen == {"", "forward"}, seen
# 64 x 4096 floats kept in each of ten steps.
assert grown[0]["phase"] == "forward", grown
assert 9 << 20 < grown[0]["bytes"] < 14 << 20, grown
""")

    def test_phases_name_evaluation_data_and_optimizer(self):
        self.check("""
o = torch.optim.Adam(model.parameters())
phases = probe._make_context(__import__("_torchleak.context").context.Request(1, "host", 1, 300), 0).phases
seen = []
class Data(torch.utils.data.Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        seen.append(phases.current()); return torch.randn(8)
model[1].register_forward_hook(lambda *a: seen.append(phases.current()))
phases.enable()
for x in torch.utils.data.DataLoader(Data(), batch_size=4):
    x.requires_grad_().register_hook(lambda g: seen.append(phases.current()))
    def closure():
        seen.append(phases.current())
    model(x).sum().backward()
    o.step(closure)
    model.eval()
    model(x)
phases.disable()
want = ["data"] * 4 + ["forward", "backward", "optimizer", "evaluation"]
assert seen == want, seen
""")

    @unittest.skipIf(torch_version() < (2, 3), "needs torch.compiler.is_compiling")
    def test_compiler_sees_nothing_of_us(self):
        # fullgraph fails on anything of ours that the compiler could not look through.
        flight = self.zygote.go(HEAD + """
compiled = torch.compile(model, backend="eager", fullgraph=True)
x = torch.randn(2, 8)
with torch.no_grad():
    for i in range(20):
        assert torch.equal(compiled(x), model[2](model[1](model[0](x))))
frames = torch._dynamo.utils.counters["stats"]["unique_graphs"]
assert frames == 1, frames
""")
        self.assertEqual(flight.clock, "forward")

    @unittest.skipIf(torch_version() < (2, 3), "needs torch.compiler.is_compiling")
    def test_compiled_training(self):
        flight = self.zygote.go(HEAD + """
o = torch.optim.Adam(model.parameters())
compiled = torch.compile(model, backend="eager", fullgraph=True)
x = torch.randn(2, 8)
for i in range(20):
    o.zero_grad(); compiled(x).sum().backward(); o.step()
frames = torch._dynamo.utils.counters["stats"]["unique_graphs"]
assert frames == 1, torch._dynamo.utils.counters
""")
        self.assertEqual((flight.clock, flight.steps), ("optimizer", 20))

    def test_script_and_trace(self):
        self.check("""
import warnings
warnings.simplefilter("ignore")
x = torch.randn(2, 8)
assert torch.equal(torch.jit.trace(model, x)(x), model(x))
assert torch.equal(torch.jit.script(model)(x), model(x))
import torch.fx
assert torch.equal(torch.fx.symbolic_trace(model)(x), model(x))
""")

    def test_pickled_models_hold_nothing_of_us(self):
        self.check("""
import io, pickle
o = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(3):
    model(torch.randn(2, 8)).sum().backward(); o.step()
for thing in (model, o):
    assert b"torchleak" not in pickle.dumps(thing)
""")
