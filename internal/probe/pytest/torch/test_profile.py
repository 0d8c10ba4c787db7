"""What the probe writes of steps that torchleak profile looks at, and that the training is the same."""

import glob
import json
import os
import unittest

from harness import Run

BEGIN = """
import hashlib, sys
import torch
from torch import nn

def digest(model):
    tensors = [t for t in model.state_dict().values()]
    return hashlib.sha256(b"".join(t.detach().contiguous().numpy().tobytes() for t in tensors)).hexdigest()

torch.manual_seed(0)
"""

MUCH = BEGIN + """
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g

class Named(torch.Tensor):
    pass

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(16, 24)
        self.conv = nn.Conv1d(24, 12, 3, padding=1)
        self.norm = nn.BatchNorm1d(12)
        self.rnn = nn.GRU(12, 10, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(10, 16)
    def forward(self, x):
        h = self.norm(self.conv(self.emb(x).transpose(1, 2))).transpose(1, 2)
        h = checkpoint(self.drop, h, **how) if self.training else h
        return self.out(Square.apply(self.rnn(h)[0]))

how = {"use_reentrant": False} if int(torch.__version__[0]) > 1 else {}
model = Net()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
data = [torch.randint(0, 16, (8,)) for _ in range(96)]
seen = 0
for epoch in range(2):
    for batch in DataLoader(data, batch_size=4, num_workers=2 if epoch else 0, multiprocessing_context="fork" if epoch else None):
        logits = model(batch).as_subclass(Named)
        loss = nn.functional.cross_entropy(logits.reshape(-1, 16), batch.reshape(-1))
        (loss / 2).backward()
        seen += 1
        if seen % 2 == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    with torch.no_grad():
        model.eval()
        model(data[0][None])
        model.train()
print(digest(model), torch._C._len_torch_dispatch_stack())
"""

PLAIN = BEGIN + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.act, self.last = nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3)
    def forward(self, x):
        h = self.act(self.first(x))     # line 17
        return self.last(h).exp()       # line 18

%s
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
kept = []
for step in range(8):
    %s
    kept.append(torch.zeros(1000 + step))
    try:
        torch.ones(2, 3) @ torch.ones(2, 3)
    except RuntimeError as error:
        print(error)
    optimizer.zero_grad()
    loss = model(torch.randn(4, 6)).sum()
    loss.backward()
    optimizer.step()
print(digest(model))
"""


class ProfileTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()
        self.addCleanup(self.run_.close)

    def profile(self, code, warmup=3, steps=2):
        """What the training says, and its profile."""
        plan = os.path.join(self.run_.base, "plan.json")
        with open(plan, "w") as file:
            json.dump({"warmup": warmup, "steps": steps}, file)
        said = self.run_.go(code, env={"TORCHLEAK_PROFILE": plan})
        self.assertEqual([flight.errors for flight in self.run_.flights], [0] * len(self.run_.flights))
        (written,) = glob.glob(os.path.join(self.run_.dir, "*.profile.json"))
        with open(written) as file:
            return said, Profile(json.load(file))

    def test_a_training_with_much_in_it_computes_the_same(self):
        # Steps 11 to 14 of 12 an epoch: a validation is among them, and workers are forked.
        said, profile = self.profile(MUCH, warmup=10, steps=4)
        self.assertEqual(said, self.run_.go(MUCH, probe=False))
        self.assertEqual((profile.complete, profile.first_step, len(profile.step_ends)), (True, 11, 4))
        self.assertLessEqual({"forward", "backward", "optimizer", "evaluation", "rest"}, set(profile.phase))
        self.assertLessEqual({"Net.emb", "Net.conv", "Net.rnn", "Net.drop"}, set(profile.modules))
        owners = {name: category for _, category, name in profile.owned}
        self.assertEqual(owners["Net.norm.running_mean"], "buffer")
        self.assertIn("Net.rnn.weight_hh_l0", owners)

    def test_a_plain_training(self):
        code = PLAIN % ("", "pass")
        said, profile = self.profile(code)
        self.assertEqual(said, self.run_.go(code, probe=False))
        self.assertTrue(profile.complete)
        self.tied(profile)
        sizes = {}
        for storage, category, name in profile.owned:
            sizes.setdefault((category, name), set()).add(profile.bytes[storage])
        for name, numbers in (("first.weight", 30), ("first.bias", 5), ("last.weight", 15), ("last.bias", 3)):
            for category in ("parameter", "gradient", "optimizer state"):
                self.assertEqual(sizes[category, "Net." + name], {4 * numbers})
        # Of what is kept, all that lives at the end of step 5, by storage.
        live = {}
        for op, storage, size in profile.events:
            if op <= profile.step_ends[-1]:
                live[storage] = size
        self.assertEqual(sorted(n for n in live.values() if n >= 4000), [4 * (1000 + step) for step in range(5)])

    def test_ties_by_order(self):
        # As before torch 2.1, which has no numbers.
        self.tied(self.profile(PLAIN % ("torch.autograd._get_sequence_nr = None", "pass"))[1])

    def tied(self, profile):
        """Every node of the plain training's backward is tied to the operator of its forward."""
        ties = {(profile.operator[tie], profile.line[tie], profile.module[tie]) for tie in profile.tie if tie >= 0}
        self.assertLessEqual({("aten::addmm", 17, "Net.first"), ("aten::tanh", 17, "Net.act"),
                              ("aten::addmm", 18, "Net.last"), ("aten::exp", 18, "Net")}, ties)
        found = [profile.operator[tie] for operator, tie in zip(profile.operator, profile.tie) if operator == "aten::tanh_backward"]
        self.assertEqual(found, ["aten::tanh"] * 2)

    def test_a_mode_of_the_programs_own_goes_on(self):
        # It is begun within our window and ends behind it.
        mode = """
from torch.utils._python_dispatch import TorchDispatchMode
class Count(TorchDispatchMode):
    seen = 0
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        Count.seen += 1
        return func(*args, **(kwargs or {}))
mode = Count()
"""
        code = PLAIN % (mode, "step == 4 and mode.__enter__(); step == 7 and mode.__exit__(None, None, None)")
        said, profile = self.profile(code + "print(Count.seen > 100)")
        self.assertTrue(said.endswith("True\n"), said)
        self.assertTrue(profile.complete)
        self.assertIn("aten::addmm", profile.operator)

    def test_a_thread_without_frames(self):
        # As autograd's own on a device: a mode is asked from C, and nobody stands below.
        ask = """
import _thread, time
def ask():
    mode = torch._C._get_dispatch_stack_at(0)
    _thread.start_new_thread(mode.__torch_dispatch__, (torch.ops.aten.logaddexp.default, (), (torch.ones(9), torch.ones(9))))
    time.sleep(1)
"""
        _, profile = self.profile(PLAIN % (ask, "step == 4 and ask()"))
        self.assertEqual([line for line, operator in zip(profile.line, profile.operator) if operator == "aten::logaddexp"], [0])

    def test_a_program_that_ends_within_the_window(self):
        _, profile = self.profile(PLAIN % ("", "pass"), warmup=6, steps=50)
        self.assertEqual((profile.complete, len(profile.step_ends)), (False, 2))


class Profile:
    """The file, with the columns of operators as names."""

    def __init__(self, file):
        self.complete, self.first_step, self.step_ends = file["complete"], file["first_step"], file["step_ends"]
        self.owned, self.bytes = file["owned"], file["storages"]["bytes"]
        self.modules = file["modules"]
        ops = file["ops"]
        self.operator = [file["operators"][n] for n in ops["operator"]]
        self.phase = [file["phases"][n] for n in ops["phase"]]
        self.module = [file["modules"][n] if n >= 0 else "" for n in ops["module"]]
        self.line = [file["frames"][file["stacks"][n][0]][1] if n >= 0 else 0 for n in ops["stack"]]
        self.tie = ops["tie"]
        columns = file["events"]
        self.events = list(zip(columns["op"], columns["storage"], columns["bytes"]))


if __name__ == "__main__":
    unittest.main()
