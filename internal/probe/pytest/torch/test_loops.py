"""Every kind of training loop gets the clock that a person would choose."""

import unittest

from harness import EPOCH, EVALUATION, HOOKS, Run, Zygote

HEAD = """
import torch, contextlib
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
sgd = lambda m=model: torch.optim.SGD(m.parameters(), lr=0.01)
data = torch.utils.data.TensorDataset(torch.randn(80, 8))
loader = lambda: torch.utils.data.DataLoader(data, batch_size=8)
def loss_of(x, m=model):
    return m(x).pow(2).mean()
"""


class LoopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def run_loop(self, code):
        """Runs the loop in a process of its own and returns its flight recorder."""
        flight = self.zygote.go(HEAD + code)
        self.assertEqual(flight.errors, 0)
        return flight

    def steps(self, code, clock, steps):
        """Runs the loop and checks its clock and number of steps."""
        flight = self.run_loop(code)
        self.assertEqual((flight.clock, flight.steps), (clock, steps))
        self.assertEqual([r.step for r in flight.records], list(range(1, steps + 1)))
        return flight

    def test_plain(self):
        flight = self.steps("""
o = sgd()
for epoch in range(3):
    for (x,) in loader():
        o.zero_grad(); loss_of(x).backward(); o.step()
""", "optimizer", 30)
        self.assertEqual([r.step for r in flight.records if r.flags & EPOCH], [1, 11, 21])
        self.assertGreater(len(flight.series(0)), 10)

    def test_validation_inside_an_epoch_is_no_new_epoch(self):
        flight = self.steps("""
o = sgd()
for epoch in range(2):
    for i, (x,) in enumerate(loader()):
        o.zero_grad(); loss_of(x).backward(); o.step()
        if i == 4:
            model.eval()
            with torch.no_grad():
                for (x,) in loader():
                    model(x)
            model.train()
""", "optimizer", 20)
        self.assertEqual([r.step for r in flight.records if r.flags & EPOCH], [1, 11])
        self.assertEqual([r.step for r in flight.records if r.flags & EVALUATION], [6, 16])

    def test_hooks_registered_step_by_step_are_noted(self):
        for steps, every, noted in ((200, 1, True), (200, 2, False), (40, 1, False)):
            with self.subTest(steps=steps, every=every):
                flight = self.run_loop("""
o = sgd()
for step in range(%d):
    if step %% %d == 0:
        model[0].register_forward_hook(lambda *_: None)
    o.zero_grad(); loss_of(torch.ones(8, 8)).backward(); o.step()
""" % (steps, every))
                self.assertEqual(any(r.flags & HOOKS for r in flight.records), noted)

    def test_accumulation(self):
        self.steps("""
o = sgd()
for i in range(60):
    loss_of(torch.randn(4, 8)).backward()
    if i % 3 == 2:
        o.step(); o.zero_grad()
""", "optimizer", 20)

    def test_gan_with_more_critic_steps(self):
        self.steps("""
critic = torch.nn.Linear(8, 1)
oc, og = sgd(critic), sgd()
for i in range(60):
    for _ in range(5):
        oc.zero_grad(); loss_of(torch.randn(4, 8), critic).backward(); oc.step()
    og.zero_grad(); loss_of(torch.randn(4, 8)).backward(); og.step()
""", "optimizer", 15 + 58)

    def test_gan_one_to_one(self):
        self.steps("""
critic = torch.nn.Linear(8, 1)
oc, og = sgd(critic), sgd()
for i in range(40):
    oc.zero_grad(); loss_of(torch.randn(4, 8), critic).backward(); oc.step()
    og.zero_grad(); loss_of(torch.randn(4, 8)).backward(); og.step()
""", "optimizer", 40)

    def test_scheduler_wraps_step(self):
        self.steps("""
o = sgd()
s = torch.optim.lr_scheduler.StepLR(o, 5)
for i in range(20):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step(); s.step()
""", "optimizer", 20)

    def test_subclass_that_calls_super(self):
        self.steps("""
class Mine(torch.optim.SGD):
    def step(self, closure=None):
        return super().step(closure)
plain = sgd()   # makes torch hook the base class too
o = Mine(model.parameters(), lr=0.01)
for i in range(20):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
""", "optimizer", 20)

    def test_optimizer_around_an_optimizer(self):
        self.steps("""
class Lookahead(torch.optim.Optimizer):
    def __init__(self, base):
        super().__init__(base.param_groups, {})
        self.base = base
    def step(self, closure=None):
        return self.base.step(closure)
o = Lookahead(sgd())
for i in range(20):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
""", "optimizer", 20)

    def test_lbfgs(self):
        self.steps("""
o = torch.optim.LBFGS(model.parameters(), max_iter=4)
x = torch.randn(4, 8)
def closure():
    o.zero_grad(); l = loss_of(x); l.backward(); return l
for i in range(12):
    o.step(closure)
""", "optimizer", 12)

    def test_optimizers_that_come_and_go(self):
        self.steps("""
for i in range(20):
    o = sgd()
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
""", "optimizer", 20)

    def test_mixed_precision(self):
        self.steps("""
o = sgd()
amp = getattr(torch, "amp", None)
scaler = amp.GradScaler("cpu") if hasattr(amp, "GradScaler") else torch.cuda.amp.GradScaler(enabled=False)
for i in range(20):
    o.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        l = loss_of(torch.randn(4, 8))
    scaler.scale(l).backward()
    scaler.step(o); scaler.update()
""", "optimizer", 20)

    def test_exceptions_in_a_step(self):
        self.steps("""
o = torch.optim.LBFGS(model.parameters(), max_iter=1)
def bad():
    raise ValueError
def good():
    o.zero_grad(); l = loss_of(torch.randn(4, 8)); l.backward(); return l
for i in range(10):
    with contextlib.suppress(ValueError):
        o.step(bad)
    o.step(good)
""", "optimizer", 10)

    def test_update_by_hand(self):
        # The first backward is patience: an optimizer might still come.
        self.steps("""
for i in range(21):
    loss_of(torch.randn(4, 8)).backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.01 * p.grad
            p.grad = None
""", "backward", 20)

    def test_inference(self):
        self.steps("""
model.eval()
with torch.no_grad():
    for i in range(23):
        model(torch.randn(4, 8))
""", "forward", 20)

    def test_inference_with_a_criterion(self):
        self.steps("""
criterion = torch.nn.MSELoss()
with torch.no_grad():
    for i in range(23):
        criterion(model(torch.randn(4, 8)), torch.zeros(4, 1))
""", "forward", 20)

    def test_evaluation_with_an_optimizer_at_hand(self):
        # Made by a checkpoint's loading, never stepped. It could come any time: that takes more patience.
        self.steps("""
o = sgd()
with torch.no_grad():
    for epoch in range(8):
        for (x,) in loader():
            model(x)
""", "forward", 80 - 31)

    def test_inference_with_an_optimizer_at_hand(self):
        self.steps("""
o, outs = torch.optim.Adam(model.parameters()), []
for i in range(200):
    outs.append(model(torch.randn(4, 8)))
""", "forward", 200 - 31)

    def test_evaluation_before_a_training(self):
        self.steps("""
o = sgd()
for i in range(20):
    model(torch.randn(4, 8))
for i in range(20):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
""", "optimizer", 20)

    def test_evaluations_within_a_training(self):
        self.steps("""
o = sgd()
for epoch in range(4):
    for i in range(10):
        o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
    with torch.no_grad():
        for i in range(50):
            model(torch.randn(4, 8))
""", "optimizer", 40)

    def test_optimizer_with_an_init_called_by_name(self):
        self.steps("""
class Mine(torch.optim.Optimizer):
    def __init__(self, params):
        torch.optim.Optimizer.__init__(self, params, {})
    def step(self, closure=None):
        pass
o = Mine(model.parameters())
for i in range(20):
    loss_of(torch.randn(4, 8)).backward(); o.step()
import sys
assert [ref() for ref in sys.modules["_torchleak.probe"].probe._optimizer.optimizers] == [o]
""", "optimizer", 20)

    def test_models_that_fail(self):
        self.steps("""
class Failing(torch.nn.Module):
    def forward(self, x, fail):
        if fail:
            raise ValueError
        return model(x)
failing = Failing()
for i in range(46):
    with contextlib.suppress(ValueError):
        failing(torch.randn(4, 8), i % 2)
""", "forward", 43)

    def test_data_only(self):
        self.steps("""
for epoch in range(4):
    for (x,) in loader():
        x.sum()
""", "data", 40 - 7)

    def test_manual(self):
        self.steps("""
import torchleak
o = sgd()
for i in range(20):
    for _ in range(3):
        o.zero_grad(); loss_of(torch.randn(4, 8)).backward()
        if i:
            o.step()
    torchleak.step()
""", "manual", 20)

    def test_inference_behind_a_training(self):
        flight = self.run_loop("""
o = sgd()
for i in range(10):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
with torch.no_grad():
    for epoch in range(20):
        for (x,) in loader():
            model(x)
""")
        self.assertEqual(flight.clock, "forward")
        self.assertEqual([r.clock for r in flight.records[:10]], ["optimizer"] * 10)
        self.assertGreater(flight.steps, 100)

    def test_inference_behind_a_training_without_a_loader(self):
        flight = self.run_loop("""
o = sgd()
for i in range(10):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
for i in range(100):
    model(torch.randn(4, 8))
""")
        self.assertEqual(flight.clock, "forward")
        self.assertGreater(flight.steps, 40)

    def test_inference_with_another_model_behind_a_training(self):
        flight = self.run_loop("""
import sys
module = sys.modules["_torchleak.probe"]
module._QUIET_NS = module._BEAT_NS = 1000000
o = sgd()
for i in range(10):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
other = torch.nn.Linear(8, 8)
with torch.no_grad():
    for i in range(300):
        other(torch.randn(4, 8))
        garbage = [[] for _ in range(3000)]
""")
        self.assertEqual(flight.clock, "forward")
        self.assertGreater(flight.steps, 100)


class ProcessTest(unittest.TestCase):
    """The same in processes that nobody forked."""

    def setUp(self):
        self.run_ = Run()

    def tearDown(self):
        self.run_.close()

    def test_trains(self):
        self.run_.go(HEAD + """
o = sgd()
for i in range(20):
    o.zero_grad(); loss_of(torch.randn(4, 8)).backward(); o.step()
""", env={"RANK": "1", "WORLD_SIZE": "4", "LOCAL_RANK": "1"})
        self.assertEqual(self.run_.err, "")
        flight = self.run_.flight
        self.assertEqual((flight.clock, flight.steps, flight.errors, flight.state), ("optimizer", 20, 0, 2))
        self.assertGreater(len(flight.series(0)), 10)
        (hello,) = self.run_.hellos.values()
        self.assertEqual((hello["rank"], hello["world_size"], hello["local_rank"]), (1, 4, 1))
        self.assertEqual(hello["role"], "trainer")
        self.assertTrue(hello["main_file"].endswith("/train.py"))
        self.assertGreater(hello["limits"]["host"], 1 << 20)

    def test_never_steps(self):
        version = self.run_.go(HEAD + "model(torch.randn(4, 8)); print(torch.__version__)\n")
        self.assertEqual(self.run_.flights, [])
        (hello,) = self.run_.hellos.values()
        self.assertEqual((hello["role"], hello["flight"]), ("unknown", ""))
        self.assertEqual(hello["torch"], version.strip())

    def test_time_where_nothing_else_ticks(self):
        self.run_.go(HEAD + """
import sys, time
module = sys.modules["_torchleak.probe"]
module._QUIET_NS = module._BEAT_NS = 1000000   # the beats of ten seconds, in ten milliseconds
weight, end = torch.randn(8, 8), time.monotonic() + 1
while time.monotonic() < end:
    weight.matmul(weight)
    garbage = [[] for _ in range(5000)]  # more than the 2000 at which Python 3.14 collects
""")
        flight = self.run_.flight
        self.assertEqual(flight.clock, "time")
        self.assertGreater(flight.steps, 10)
