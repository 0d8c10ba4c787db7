"""What a program leaves that runs out of memory, for real: the host refuses a tensor."""

import os
import unittest

from harness import Run, Zygote, left

TRAIN = """
import sys, torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(256, 256)
    def forward(self, x):
        return torch.relu(self.fc(x))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(64, 256)
        self.layers = nn.ModuleList(Block() for _ in range(4))
        self.head = nn.Linear(256, 8)
    def forward(self, x, grow=False):
        h = self.stem(x)
        for layer in self.layers:
            h = layer(h)
        if grow:
            table = h.new_empty(10 ** 15)
        return self.head(h)

def train(steps):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    batch = torch.randn(1024, 64)
    for step in range(steps):
        loss = model(batch, step == steps - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

"""
HUGE = 4 * 10 ** 15


class Programs(unittest.TestCase):
    """Programs that are forked, and end as others do."""

    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()

    @classmethod
    def tearDownClass(cls):
        cls.zygote.close()

    def documents(self, code, expect):
        """What a program leaves; what it has printed is in out."""
        self.zygote.program(code, expect)
        self.out = self.zygote.out
        return left(self.zygote.run)


class Uncaught(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Run()
        cls.run_.go(TRAIN + "train(5)\n", expect=1)
        (cls.document,) = left(cls.run_)
        cls.sums = {c["category"]: c for c in cls.document["categories"]}

    def test_says_what_was_refused_and_where(self):
        d = self.document
        self.assertEqual((d["memory"], d["seen"], d["fatal"], d["count"], d["step"]), ("host", "exit", True, 1, 4))
        self.assertIn("you tried to allocate %d bytes" % HUGE, d["text"])
        first = d["frames"][0]
        self.assertEqual((first["function"], os.path.basename(first["file"])), ("forward", "train.py"))
        with open(first["file"]) as file:
            self.assertIn("new_empty", file.read().split("\n")[first["line"] - 1])
        self.assertEqual([f["function"] for f in d["frames"]], ["forward", "train", "<module>"])

    def test_the_program_ends_as_without_us(self):
        self.assertIn("DefaultCPUAllocator", self.run_.err)
        self.assertNotIn("_torchleak", self.run_.err)

    def test_counts_each_storage_once_by_category(self):
        # stem 64*256+256, four blocks of 256*256+256, head 256*8+8 floats; Adam keeps two of each, and a step count each.
        parameters = 4 * (64 * 256 + 256 + 4 * (256 * 256 + 256) + 256 * 8 + 8)
        self.assertEqual(self.sums["parameter"]["bytes"], parameters)
        self.assertEqual(self.sums["gradient"]["bytes"], parameters)
        self.assertGreaterEqual(self.sums["optimizer state"]["bytes"], 2 * parameters)
        self.assertLess(self.sums["optimizer state"]["bytes"], 2 * parameters + 1000)
        self.assertEqual(self.sums["other"]["bytes"], 4 * 1024 * 64)  # the batch

    def test_knows_what_graphs_have_saved(self):
        # Forward got through all four blocks: the stem's output and four of relu, 1024 x 256 floats each, are saved, and so
        # is the batch. Python knows all of them: an object of a tensor that C++ still holds stays.
        one = 4 * 1024 * 256
        self.assertEqual(self.document["saved"]["bytes"], 5 * one + 4 * 1024 * 64)
        self.assertEqual(self.document["saved"]["hidden"], 0)
        self.assertEqual(self.sums["activation"]["bytes"], 5 * one + 4)  # and the last step's loss

    def test_charges_modules(self):
        first = self.document["modules"][0]
        self.assertEqual((first["module"], first["type"], first["count"]), ("layers.*", "Block", 4))
        self.assertEqual(first["bytes"], 5 * 4 * 1024 * 256)

    def test_names_the_largest(self):
        by_name = {name["name"]: t for t in self.document["tensors"] for name in t["names"]}
        self.assertEqual(by_name["h"]["shape"], [1024, 256])
        self.assertEqual((by_name["x"]["category"], by_name["x"]["bytes"]), ("other", 4 * 1024 * 64))

    def test_is_quick(self):
        self.assertLess(self.document["seconds"], 3)


class Others(Programs):
    def document(self, code):
        """The only one that a training leaves which fails."""
        documents = self.documents(TRAIN + code, 1)
        self.assertEqual(len(documents), 1, documents)
        return documents[0]

    def test_before_the_first_step(self):
        d = self.document("train(1)\n")
        self.assertEqual((d["step"], d["fatal"]), (0, True))
        self.assertIn("parameter", [c["category"] for c in d["categories"]])

    def test_a_real_limit(self):
        d = self.document(
            # For three tensors and a half.
            "import resource\nlimit = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize() + (7 << 27)\n"
            "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\nkept = []\nwhile True:\n    kept.append(torch.ones(64 << 20))\n")
        self.assertEqual(d["memory"], "host")
        self.assertIn("268435456 bytes", d["text"])
        other = [c for c in d["categories"] if c["category"] == "other"][0]
        self.assertGreaterEqual(other["bytes"], 268435456)

    def test_wrapped_in_another_exception(self):
        d = self.document("try:\n    train(2)\nexcept RuntimeError as error:\n    raise ValueError('training failed') from error\n")
        self.assertIn("DefaultCPUAllocator", d["text"])
        self.assertEqual(d["frames"][0]["function"], "forward")

    def test_what_only_a_graph_holds(self):
        # log_softmax within cross_entropy has no Python object: 4096 x 1000 floats that its node has saved.
        d = self.document("x = torch.randn(4096, 1000, requires_grad=True)\n"
                          "loss = nn.functional.cross_entropy(x, torch.zeros(4096, dtype=torch.long))\ntorch.empty(10 ** 15)\n")
        self.assertEqual(d["saved"]["hidden"] // (4096 * 1000 * 4), 1)

    def test_memory_error_of_python(self):
        d = self.document("bytearray(1 << 62)\n")
        self.assertEqual((d["type"], d["memory"]), ("MemoryError", "host"))

    def test_code_of_the_exceptions_class_does_not_run(self):
        d = self.document(
            "class Loud(RuntimeError):\n    def __str__(self):\n        print('ran')\n        return 'x'\n"
            "raise Loud('CUDA out of memory. Tried to allocate 1.00 GiB')\n")
        self.assertIn("Tried to allocate", d["text"])

    def test_hooks_on_saved_tensors_are_not_called(self):
        d = self.document(
            "def pack(x):\n    return x\ndef unpack(x):\n    print('unpacked')\n    return x\n"
            "with torch.autograd.graph.saved_tensors_hooks(pack, unpack):\n    train(1)\n")
        self.assertNotIn("unpacked", self.out)
        self.assertNotIn("saved", d)
        self.assertTrue(any("hooks" in note for note in d["notes"]), d["notes"])

    def test_no_shortage_leaves_nothing(self):
        for code, expect in (("raise ValueError('bad')\n", 1), ("sys.exit(3)\n", 3), ("\n", 0),
                             ("try:\n    torch.empty(10 ** 15)\nexcept RuntimeError:\n    pass\n", 0)):
            self.assertEqual(self.documents(TRAIN + code, expect), [], code)


if __name__ == "__main__":
    unittest.main()
