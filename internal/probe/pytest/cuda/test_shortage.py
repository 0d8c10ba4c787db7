"""What a training leaves that runs out of a CUDA device's memory, for real: it may use 2 GiB and asks for more."""

import unittest

import torch

from harness import Run, left

TRAIN = """
import sys, torch
from torch import nn

GIB = 1 << 30
TOTAL = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(2 * GIB / TOTAL)

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1024, 1024)
    def forward(self, x):
        return torch.relu(self.fc(x))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block() for _ in range(8))
    def forward(self, x, last):
        h = x
        for layer in self.layers:
            h = layer(h)
        if last:
            h = h + torch.empty(3 * GIB, dtype=torch.uint8, device=h.device)
        return h

def train(steps):
    model = Model().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    batch = torch.randn(4096, 1024, device="cuda")
    for step in range(steps):
        optimizer.zero_grad()
        model(batch, step == steps - 1).square().mean().backward()
        optimizer.step()

"""
GIB, MIB = 1 << 30, 1 << 20
TOLD = hasattr(torch._C, "_cuda_attach_out_of_memory_observer")
PARAMETERS = 8 * 4 * (1024 * 1024 + 1024)


class Shortage(unittest.TestCase):
    def document(self, code, expect):
        run = Run()
        run.go(TRAIN + code, expect=expect)
        (found,) = left(run)
        self.assertFalse([note for note in found["notes"] if "could not be read" in note], found["notes"])
        return found

    def sums(self, document):
        return {c["category"]: c["bytes"] for c in document["categories"]}

    def test_in_forward(self):
        d = self.document("train(4)\n", 1)
        self.assertEqual((d["memory"], d["step"], d["fatal"], d["during"]), ("cuda:0", 3, True, ""))
        self.assertEqual(d["seen"], "allocator" if TOLD else "exit")
        self.assertIn("Tried to allocate 3.00 GiB", d["text"])
        self.assertEqual([f["function"] for f in d["frames"]], ["forward", "train", "<module>"])
        sums = self.sums(d)
        self.assertEqual(sums["parameter"], PARAMETERS)
        if TOLD:
            self.assertNotIn("gradient", sums)  # zero_grad sets them to None; torch 1.13 to zero
        self.assertGreaterEqual(sums["optimizer state"], 2 * PARAMETERS)
        self.assertEqual(sums["activation"], 8 * 4096 * 1024 * 4)  # relu's results
        self.assertEqual(sums["other"], 4096 * 1024 * 4)  # the batch
        self.assertEqual((d["modules"][0]["module"], d["modules"][0]["type"], d["modules"][0]["count"]), ("layers.*", "Block", 8))
        if TOLD:
            self.assertEqual(d["requested"], 3 * GIB)
            self.assertLess(abs(d["limit"] - 2 * GIB), 4 * MIB)
        # What is allocated is what was found, but for rounding and the libraries' workspaces.
        self.assertLess(abs(d["allocated"] - sum(sums.values())), 128 * MIB)
        self.assertGreaterEqual(d["reserved"], d["allocated"])

    def test_before_the_first_step(self):
        d = self.document("train(1)\n", 1)
        self.assertEqual((d["step"], d["fatal"]), (0, True))
        self.assertEqual(self.sums(d)["parameter"], PARAMETERS)

    @unittest.skipUnless(TOLD, "this torch does not tell")
    def test_caught(self):
        d = self.document("for _ in range(3):\n    try:\n        train(2)\n    except RuntimeError:\n        torch.cuda.empty_cache()\n", 0)
        self.assertEqual((d["seen"], d["fatal"], d["count"]), ("allocator", False, 3))
        self.assertEqual(self.sums(d)["activation"], 8 * 4096 * 1024 * 4)

    @unittest.skipUnless(TOLD, "this torch does not tell")
    def test_in_backward(self):
        d = self.document(
            "class Big(torch.autograd.Function):\n"
            "    @staticmethod\n    def forward(ctx, x):\n        return x.clone()\n"
            "    @staticmethod\n    def backward(ctx, g):\n        return g + torch.empty(3 * GIB, dtype=torch.uint8, device='cuda')\n"
            "x = torch.randn(1 << 20, device='cuda', requires_grad=True)\nBig.apply(x.exp()).sum().backward()\n", 1)
        self.assertEqual((d["during"], d["memory"]), ("backward", "cuda:0"))
        self.assertNotIn("saved", d)

    @unittest.skipUnless(TOLD, "this torch does not tell")
    def test_in_a_backward_without_python(self):
        # The gradient of expand's input is small, that of its output, made by C++ in a thread without frames, is not.
        d = self.document(
            "x = torch.randn(1, device='cuda', requires_grad=True)\n"
            "y = (x.expand(400 << 20) * 2.0)\n"
            "del x\ny.exp_().sum().backward()\n", 1)
        self.assertEqual((d["memory"], d["during"]), ("cuda:0", "backward"))
        self.assertEqual([f["function"] for f in d["frames"]], ["<module>"])

    @unittest.skipUnless(hasattr(torch._C, "_cuda_isHistoryEnabled"), "no history")
    def test_lines_where_the_history_is_on(self):
        d = self.document("torch.cuda.memory._record_memory_history(context='all', stacks='python')\ntrain(3)\n", 1)
        relu = [line for line in d["lines"] if line["frames"][0]["function"] == "forward"]
        self.assertGreaterEqual(sum(line["bytes"] for line in relu), 8 * 4096 * 1024 * 4)

    def test_the_weights_are_the_same(self):
        code = TRAIN + """
torch.manual_seed(0)
model = Model().cuda()
optimizer = torch.optim.Adam(model.parameters())
batch = torch.randn(256, 1024, device="cuda")
for step in range(6):
    try:
        optimizer.zero_grad()
        model(batch, step % 2 == 1).square().mean().backward()
        optimizer.step()
    except RuntimeError:
        pass
print([p.double().sum().item() for p in model.parameters()], torch.cuda.memory_allocated())
"""
        with_us, without = Run(), Run()
        with_us.go(code)
        without.go(code, probe=False)
        self.assertEqual(with_us.out, without.out)


if __name__ == "__main__":
    unittest.main()
