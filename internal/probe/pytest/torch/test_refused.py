"""What happens in the moment in which a device's allocator refuses memory. There is no device here: the observer is called as
the allocator calls it, in real trainings, and looks at the host."""

import unittest

from test_shortage import TRAIN, Programs

# The memory that is looked at is the host's, which has tensors here; all else is as with CUDA.
REFUSE = TRAIN + """
def refuse(times=1):
    from _torchleak import probe
    shortage = probe.probe._shortage
    look = shortage._look
    shortage._look = lambda memory, *rest: look("host", *rest)
    for _ in range(times):
        shortage._refused(0, 1 << 30, 4 << 30, 1 << 20)
    del shortage._look
"""


class Refused(Programs):
    def document(self, code, expect=0):
        (found,) = self.documents(REFUSE + code, expect)
        return found

    def test_in_forward(self):
        d = self.document(
            "def forward(x):\n    y = torch.exp(x)\n    refuse()\n    return y\n"
            "loss = forward(torch.randn(1000, 1000, requires_grad=True)).sum()\nloss.backward()\nprint('went on')\n")
        self.assertEqual((d["seen"], d["fatal"], d["during"], d["count"]), ("allocator", False, "", 1))
        self.assertEqual((d["requested"], d["limit"], d["free"]), (1 << 30, 4 << 30, 1 << 20))
        self.assertEqual([f["function"] for f in d["frames"]][:2], ["refuse", "forward"])
        self.assertEqual(d["saved"]["bytes"], 4000000)  # exp saves its result
        self.assertEqual(self.out, "went on\n")

    def test_what_failed_goes_at_once(self):
        # Not when Python's collector comes: the program may try again, with a smaller batch.
        self.document(
            "import gc, weakref\ngc.disable()\ndef forward(x):\n    y = torch.exp(x)\n    kept.append(weakref.ref(y))\n"
            "    refuse()\n    raise RuntimeError\nkept = []\ntry:\n    forward(torch.randn(10, requires_grad=True))\n"
            "except RuntimeError:\n    pass\nprint(kept[0]())\n")
        self.assertEqual(self.out, "None\n")

    def test_nodes_are_not_read_during_backward(self):
        backward = "x = torch.randn(100, 100, requires_grad=True)\ny = torch.exp(x)\ny.register_hook(lambda g: refuse())\n"
        for code in ("y.sum().backward()\n", "torch.autograd.grad(y.sum(), x)\n",
                     "s = y.sum()\ntorch.autograd.Variable._execution_engine.run_backward("
                     "(s,), (torch.ones(()),), False, False, (), True, accumulate_grad=True)\n"):
            if "_execution_engine" in code and self.untold():
                continue  # on the host such a torch does not tell; a device's backward threads have no frames
            d = self.document(backward + code)
            self.assertEqual(d["during"], "backward", code)
            self.assertNotIn("saved", d)
            self.assertTrue(any("backward pass was under way" in note for note in d["notes"]))

    def untold(self):
        self.zygote.program("import torch\nprint(hasattr(torch._C, '_current_graph_task_id'))\n")
        return self.zygote.out == "False\n"

    def test_a_backward_pass_of_another_thread_counts(self):
        d = self.document(
            "import threading\nx = torch.randn(10, requires_grad=True)\ny = x.exp()\n"
            "def hook(g):\n    t = threading.Thread(target=refuse)\n    t.start()\n    t.join()\n"
            "y.register_hook(hook)\ny.sum().backward()\n")
        self.assertEqual(d["during"], "backward")

    def test_a_thread_without_python_frames(self):
        # As a device's backward thread is: the main thread waits for it, and its frames are shown.
        d = self.document(
            "import _thread, time\nfrom _torchleak import probe\nshortage = probe.probe._shortage\nlook = shortage._look\n"
            "shortage._look = lambda memory, *rest: look('host', *rest)\n"
            "def wait():\n    _thread.start_new_thread(shortage._refused, (0, 1, 2, 3))\n"
            "    while shortage._document is None or shortage._busy:\n        time.sleep(0.01)\nwait()\n")
        self.assertEqual((d["during"], d["frames"][0]["function"]), ("backward", "wait"))

    def test_the_end_for_want_of_other_memory(self):
        d = self.document("refuse()\ntorch.empty(10 ** 15)\n", expect=1)
        self.assertEqual((d["seen"], d["memory"], d["fatal"]), ("exit", "host", True))

    def test_a_program_that_goes_on_pays_for_a_second(self):
        d = self.document("kept = [torch.zeros(10) for _ in range(20000)]\nfor _ in range(40):\n    refuse(50)\n")
        self.assertEqual(d["count"], 2000)
        self.assertIn("categories", d)  # of the last look; after it they were only counted

    def test_the_one_that_ends_it_is_looked_at_all_the_same(self):
        d = self.document("def last():\n    large = torch.zeros(1 << 22)\n    refuse()\n    raise RuntimeError('CUDA out of memory. Tried to allocate 1.00 GiB')\n"
                          "from _torchleak import shortage\nrefuse()\nshortage._ALL_NS = 0\nlast()\n", expect=1)
        self.assertEqual((d["seen"], d["fatal"], d["count"]), ("exit", True, 2))
        self.assertEqual(d["frames"][0]["function"], "last")

    def test_the_end_of_it_is_joined(self):
        d = self.document(
            "def forward():\n    x = torch.randn(1000)\n    refuse()\n"
            "    raise RuntimeError('CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 4.00 GiB')\n"
            "forward()\n", expect=1)
        self.assertEqual((d["seen"], d["fatal"], d["count"]), ("allocator", True, 1))
        self.assertIn("Tried to allocate 1.00 GiB", d["text"])
        self.assertIn("categories", d)

    def test_a_forked_child_starts_anew(self):
        code = "import os\nrefuse()\npid = os.fork()\nif pid == 0:\n    refuse()\n    os._exit(0)\nos.waitpid(pid, 0)\n"
        self.assertEqual([d["count"] for d in self.documents(REFUSE + code, 0)], [1, 1])

    def test_a_signal_in_between_is_the_programs(self):
        self.document(
            "import signal\nclass Mine(Exception): pass\n"
            "def handler(*_): raise Mine()\nsignal.signal(signal.SIGALRM, handler)\n"
            "kept = [torch.zeros(10) for _ in range(100000)]\nsignal.setitimer(signal.ITIMER_REAL, 0.02)\n"
            "try:\n    for _ in range(1000):\n        refuse()\nexcept Mine:\n    print('handled')\n")
        self.assertEqual(self.out, "handled\n")


if __name__ == "__main__":
    unittest.main()
