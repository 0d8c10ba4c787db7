"""Which processes are trainers, and that each has files of its own."""

import os
import sys
import unittest

from harness import Flight, Run, Zygote

HEAD = """
import torch, os
model = torch.nn.Linear(8, 1)
def train(steps):
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    for i in range(steps):
        o.zero_grad(); model(torch.randn(4, 8)).sum().backward(); o.step()
"""


class ForkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def test_fork_in_the_middle(self):
        before = {f.pid for f in self.zygote.run.flights}
        parent = self.zygote.go(HEAD + """
train(5)
pid = os.fork()
if pid == 0:
    train(7)
    os._exit(0)
os.waitpid(pid, 0)
train(20)
""")
        (child,) = [f for f in self.zygote.run.flights if f.pid not in before | {parent.pid}]
        self.assertEqual((parent.steps, child.steps), (5 + 20, 7))
        self.assertEqual((parent.errors, child.errors), (0, 0))
        hello = self.zygote.run.hellos[child.pid]
        self.assertEqual((hello["ppid"], hello["role"]), (parent.pid, "trainer"))

    def test_loader_workers(self):
        flight = self.zygote.go(HEAD + """
inner = torch.nn.Linear(8, 8)
class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 60
    def __getitem__(self, i):
        with torch.no_grad():
            return inner(torch.randn(8))   # a model in a worker is no training
o = torch.optim.SGD(model.parameters(), lr=0.01)
for x in torch.utils.data.DataLoader(Data(), batch_size=2, num_workers=2, multiprocessing_context="fork"):
    o.zero_grad(); model(x).sum().backward(); o.step()
""")
        self.assertEqual((flight.clock, flight.steps), ("optimizer", 30))
        workers = [h for h in self.zygote.run.hellos.values() if h["ppid"] == flight.pid]
        self.assertEqual([(h["role"], h["flight"]) for h in workers], [("worker", "")] * 2)
        self.assertEqual([h["dataset"]["class"] for h in workers], ["Data"] * 2)
        self.assertIn(2, flight.series(8))
        for worker in workers:
            batches = Flight(os.path.join(self.zygote.run.dir, "%d-%d.batches" % (worker["pid"], worker["start_wall_ns"])))
            self.assertEqual([r.step for r in batches.records], list(range(1, 16)))  # 30 batches of two workers
            self.assertEqual((batches.clock, batches.names, batches.errors), ("data", ["host"], 0))
        system = os.statvfs("/dev/shm")
        self.assertEqual(self.zygote.run.hellos[flight.pid]["limits"]["shm"], system.f_blocks * system.f_frsize)

    def test_pool(self):
        flight = self.zygote.go(HEAD + """
import multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(len, ["a", "bb"]) == [1, 2]
train(5)
""")
        self.assertEqual(flight.steps, 5)
        self.assertEqual([h for h in self.zygote.run.hellos.values() if h["ppid"] == flight.pid], [])


class SpawnTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()

    def tearDown(self):
        self.run_.close()

    def test_spawned_trainer_and_worker(self):
        self.run_.go("""
import multiprocessing, os
import torch
model = torch.nn.Linear(8, 1)
data = torch.utils.data.TensorDataset(torch.randn(20, 8))

def train(rank):
    os.environ.update(RANK=str(rank), WORLD_SIZE="2")
    loader = torch.utils.data.DataLoader(data, batch_size=2, num_workers=1, multiprocessing_context="spawn")
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    for (x,) in loader:
        o.zero_grad(); model(x).sum().backward(); o.step()

if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=train, args=(1,))
    child.start()
    child.join()
    assert child.exitcode == 0
""")
        self.assertEqual(self.run_.err, "")
        flight, hellos = self.run_.flight, self.run_.hellos
        self.assertEqual((flight.steps, flight.errors), (10, 0))
        roles = sorted(hello["role"] for hello in hellos.values())
        self.assertEqual(roles, ["trainer", "unknown", "worker"])
        self.assertEqual((hellos[flight.pid]["rank"], hellos[flight.pid]["world_size"]), (1, 2))

    def test_workers_by_the_default_start(self):
        # From Python 3.14 on they are children of a server, which is one of the training.
        self.run_.go("""
import multiprocessing, torch
model = torch.nn.Linear(8, 1)
data = torch.utils.data.TensorDataset(torch.randn(20, 8))

if __name__ == "__main__":
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    for (x,) in torch.utils.data.DataLoader(data, batch_size=2, num_workers=2):
        o.zero_grad(); model(x).sum().backward(); o.step()
    print(multiprocessing.get_start_method())
""")
        self.assertEqual(self.run_.out, "forkserver\n" if sys.version_info >= (3, 14) else "fork\n")
        self.assertEqual(self.run_.err, "")
        flight, hellos = self.run_.flight, self.run_.hellos
        self.assertEqual((flight.steps, flight.errors), (10, 0))
        workers = [h for h in hellos.values() if h["role"] == "worker"]
        self.assertEqual([h["dataset"]["class"] for h in workers], ["TensorDataset"] * 2)
        for worker in workers:
            server = worker["ppid"]
            self.assertIn(flight.pid, (server, hellos.get(server, {}).get("ppid")))

    def test_torchrun(self):
        # The streams are said in a way that torchrun of torch 1.13 takes on Python 3.11 too: docs/support.md.
        script = os.path.join(self.run_.base, "rank.py")
        with open(script, "w") as file:
            file.write(HEAD + "train(10)\n")
        self.run_.go("""
import subprocess, sys
subprocess.check_call([sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=1",
                       "--redirects=9:1", "--tee=9:1", "--master_port=0", "--standalone", %r])
""" % script)
        hellos = self.run_.hellos
        flight = self.run_.flight
        self.assertEqual(flight.steps, 10)
        self.assertEqual(hellos[flight.pid]["role"], "trainer")
        self.assertEqual(hellos[flight.pid]["main_file"], script)
        others = [h["role"] for pid, h in hellos.items() if pid != flight.pid]
        self.assertIn("launcher", others)


class IsolatedTest(unittest.TestCase):
    def test_options_that_keep_us_out(self):
        for option in ("-I", "-E", "-S"):
            run = Run()
            try:
                out = run.go("import sys; print('_torchleak.wake' in sys.modules)", options=[option])
                self.assertEqual((out, run.hellos), ("False\n", {}), option)
            finally:
                run.close()


if sys.platform != "linux":
    raise unittest.SkipTest("processes are looked at through /proc")
