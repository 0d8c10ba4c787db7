"""What is left of a probe that was put into a program that trains and taken out again."""

import fcntl
import gc
import json
import os
import shutil
import sys
import tempfile
import time
import unittest

import torch
from torch import nn

PACKAGE = os.path.join(os.environ["TORCHLEAK_TEST_PROBE"], "_torchleak")
HOOKS = sys.modules["torch.optim.optimizer"]
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train(steps):
    for _ in range(steps):
        loss = model(torch.randn(8, 32)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def places():
    """What the probe puts something of its own into."""
    hooks = vars(HOOKS)
    return [
        dict(vars(torch.optim.Optimizer)), dict(vars(nn.Module)), dict(vars(torch.autograd.Variable)),
        dict(vars(torch.utils.data.dataloader._BaseDataLoaderIter)), dict(vars(torch.utils.data._utils.worker)),
        dict(hooks.get("_global_optimizer_pre_hooks", {})), dict(hooks.get("_global_optimizer_post_hooks", {})),
        dict(vars(torch.autograd.graph.saved_tensors_hooks)), list(gc.callbacks), list(sys.meta_path), list(sys.path),
    ]


class Reads(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.zeros(2)


class AttachTest(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        self.probe = os.path.join(self.dir, "probe")
        os.mkdir(self.probe)
        self.lock = open(os.path.join(self.probe, "lock"), "w")
        self.addCleanup(self.lock.close)
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    def call(self, function, run_dir=None):
        sys.modules.update(getattr(sys.modules.get("_torchleak.bell"), "parked", {}))  # as asked.py does
        import _torchleak

        # The folder that torchleak has made for this time; the modules still come from where the test has them.
        _torchleak.__path__ = [os.path.join(self.probe, "_torchleak"), PACKAGE]
        from _torchleak import attach

        return attach.call(function, run_dir or self.dir)

    def round(self):
        self.assertEqual(self.call("begin"), "")
        train(4)
        self.assertEqual(self.call("end"), "")

    def test_it_steps_from_the_first_optimizer_step_on(self):
        train(2)
        self.assertEqual(self.call("begin"), "")
        train(3)
        from _torchleak import probe

        self.assertEqual(probe.steps(), 3)
        self.assertEqual(self.call("end"), "")

    def test_everything_is_taken_out(self):
        train(2)
        before = places()
        self.round()
        self.assertEqual(places(), before)
        self.assertEqual({name for name in sys.modules if name.startswith("_torchleak")}, {"_torchleak.bell"})

    def test_rounds_leave_nothing_behind(self):
        for _ in range(3):
            self.round()
        gc.collect()
        before, rounds = len(gc.get_objects()), 6
        for _ in range(rounds):
            self.round()
        gc.collect()
        # Nothing of any kind comes to more with each round; some lists and dictionaries vary by what is alive just now.
        self.assertLess(len(gc.get_objects()) - before, rounds)

    def test_a_round_leaves_no_garbage_for_the_collector(self):
        """What lies there until the oldest generation is collected, seldom in a large program, makes it grow meanwhile."""
        for _ in range(3):
            self.round()
        gc.collect()
        gc.disable()
        self.addCleanup(gc.enable)
        before, rounds = sys.getallocatedblocks(), 5
        for _ in range(rounds):
            self.round()
        # What a probe consists of is about 230 blocks; its modules, loaded anew, were 4,000.
        self.assertLess(sys.getallocatedblocks() - before, rounds * 1000)

    def test_it_takes_itself_out_when_the_reader_is_gone(self):
        train(2)
        before = places()
        self.assertEqual(self.call("begin"), "")
        train(3)
        self.assertIn("_torchleak.probe", sys.modules)
        self.lock.close()
        deadline = time.monotonic() + 60
        while "_torchleak.probe" in sys.modules and time.monotonic() < deadline:
            train(1)
        self.assertEqual(places(), before)
        self.assertEqual({name for name in sys.modules if name.startswith("_torchleak")}, {"_torchleak.bell"})
        self.assertFalse(os.path.exists(self.probe))

    def test_a_fork_behind_it_finds_nothing(self):
        self.round()
        files = set(os.listdir(self.dir))
        child = os.fork()
        if child == 0:
            train(3)
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(set(os.listdir(self.dir)), files)

    def test_loader_workers_that_run_already_are_named(self):
        loader = torch.utils.data.DataLoader(Reads(), num_workers=2, persistent_workers=True)
        batches = iter(loader)
        next(batches)
        ended = iter(torch.utils.data.DataLoader(Reads(), num_workers=1))
        ended._shutdown_workers()
        self.assertEqual(self.call("begin"), "")
        said = []
        for name in os.listdir(self.dir):
            if name.endswith(".hello.json"):
                with open(os.path.join(self.dir, name)) as file:
                    said.append(json.load(file))
        workers = [one for one in said if one["role"] == "worker"]
        self.assertEqual({one["pid"] for one in workers}, {worker.pid for worker in batches._workers})
        for one in workers:
            self.assertEqual((one["ppid"], one["flight"], one["dataset"]["class"]), (os.getpid(), "", "Reads"))
            self.assertEqual(os.path.abspath(one["dataset"]["file"]), os.path.abspath(__file__))
        self.assertEqual(self.call("end"), "")
        next(batches)

    def test_another_is_not_taken_out(self):
        other = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, other)
        self.assertEqual(self.call("begin"), "")
        self.assertEqual(self.call("begin", other), "occupied")
        self.assertEqual(self.call("end", other), "")
        train(2)
        from _torchleak import probe

        self.assertEqual(probe.steps(), 2)
        self.assertEqual(self.call("end"), "")

    def test_no_hook_is_taken_out_while_torch_walks_them(self):
        if not hasattr(HOOKS, "register_optimizer_step_post_hook"):
            self.skipTest("this torch has no such hooks")
        said = []
        handles = [HOOKS.register_optimizer_step_post_hook(lambda *_: said.append(self.call("begin")))]
        train(1)
        handles.pop().remove()
        self.assertEqual(said, ["busy"])


if __name__ == "__main__":
    unittest.main()
