"""The probe's way in, in Pythons without torch: none of it may be noticed."""

import os
import signal
import unittest

from harness import PROBE, Run


class ChainTest(unittest.TestCase):
    def setUp(self):
        self.run_ = Run()
        self.other = os.path.join(self.run_.base, "other")
        os.mkdir(self.other)

    def tearDown(self):
        self.run_.close()

    def write(self, name, text):
        path = os.path.join(self.other, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def go(self, code, **how):
        return self.run_.go(code, env={"PYTHONPATH": PROBE + os.pathsep + self.other}, **how)

    def test_module(self):
        self.write("sitecustomize.py", "mark = 'theirs'\n")
        self.assertEqual(self.go("import sitecustomize as s; print(s.mark, s.__name__)"), "theirs sitecustomize\n")

    def test_package(self):
        self.write("sitecustomize/__init__.py", "from . import part\n")
        self.write("sitecustomize/part.py", "mark = 'theirs'\n")
        self.assertEqual(self.go("import sitecustomize as s; print(s.part.mark)"), "theirs\n")

    def test_its_error_reads_as_without_us(self):
        self.write("sitecustomize.py", "raise ValueError('theirs')\n")
        ours = self.go("print(1)"), self.run_.err
        plain = Run()
        try:
            theirs = plain.go("print(1)", env={"PYTHONPATH": self.other}), plain.err
        finally:
            plain.close()
        self.assertEqual(ours, theirs)
        self.assertIn("ValueError: theirs", ours[1])

    def test_its_missing_import_reads_as_without_us(self):
        self.write("sitecustomize.py", "import no_such_module\n")
        self.go("print(1)")
        self.assertIn("no_such_module", self.run_.err)

    def test_another_that_chains_as_we_do(self):
        self.write("sitecustomize.py", """
import os, sys
from importlib import machinery, util
here = os.path.dirname(__file__)
spec = machinery.PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != here])
module = util.module_from_spec(spec)
spec.loader.exec_module(module)
""")
        code = "import sys; print(sum(type(f).__module__ == '_torchleak.wake' for f in sys.meta_path))"
        for order in ([PROBE, self.other], [self.other, PROBE]):
            out = self.run_.go(code, env={"PYTHONPATH": os.pathsep.join(order)})
            self.assertEqual((out, self.run_.err), ("1\n", ""), order)

    def test_none(self):
        self.assertEqual(self.go("print(1)"), "1\n")
        self.assertEqual(self.run_.err, "")

    def test_children_inherit(self):
        self.write("sitecustomize.py", "mark = 'theirs'\n")
        out = self.go("import subprocess, sys; sys.stdout.flush()\n"
                      "subprocess.check_call([sys.executable, '-c', 'import sitecustomize as s, sys; print(s.mark, \"_torchleak.wake\" in sys.modules)'])")
        self.assertEqual(out, "theirs True\n")

    def test_without_a_directory_it_sleeps(self):
        out = self.run_.go("import sys; print(any(m.startswith('_torchleak') for m in sys.modules))", env={"TORCHLEAK_DIR": ""})
        self.assertEqual(out, "False\n")

    def test_module_is_harmless_without_torch(self):
        self.assertEqual(self.go("import torchleak; torchleak.step(); print(1)"), "1\n")
        self.assertEqual(os.listdir(self.run_.dir), ["contact"])

    def test_nothing_is_imported_for_a_target_without_torch(self):
        out = self.go("import sys; print(sorted(m for m in sys.modules if m.startswith('_torchleak')))")
        self.assertEqual(out, "['_torchleak', '_torchleak.guard', '_torchleak.wake']\n")


class StoppedTest(unittest.TestCase):
    """The interrupt by which torchleak stops a training: not a word of it, and nothing else is kept quiet."""

    def setUp(self):
        self.run_ = Run()

    def tearDown(self):
        self.run_.close()

    def go(self, code, stops="1", stopped=True, expect=-signal.SIGINT):
        if stopped:
            open(os.path.join(self.run_.dir, "stopped"), "w").close()
        self.run_.go(code, env={"TORCHLEAK_STOPS": stops}, expect=expect)
        return self.run_.err

    interrupted = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\nfor _ in range(10**9): pass\n"

    def test_the_interrupt_is_not_printed(self):
        self.assertEqual(self.go(self.interrupted), "")

    def test_one_by_hand_is(self):
        self.assertIn("KeyboardInterrupt", self.go(self.interrupted, stopped=False))

    def test_no_hook_where_nothing_is_to_be_stopped(self):
        self.assertIn("KeyboardInterrupt", self.go("import sys; assert sys.excepthook is sys.__excepthook__\n" + self.interrupted, stops=""))

    def test_an_error_is(self):
        self.assertIn("ValueError: theirs", self.go("try:\n    raise KeyboardInterrupt\nfinally:\n    raise ValueError('theirs')\n", expect=1))

    def test_the_signal_of_torchrun_is_not(self):
        code = ("class SignalException(Exception): pass\n"
                "SignalException.__module__ = 'torch.distributed.elastic.multiprocessing.api'\nraise SignalException\n")
        self.assertEqual(self.go(code, expect=1), "")


class WakeTest(unittest.TestCase):
    """Modules named torch that are not PyTorch: whatever the target calls so has to work."""

    def setUp(self):
        self.run_ = Run()

    def tearDown(self):
        self.run_.close()

    def go(self, torch, code):
        with open(os.path.join(self.run_.base, "torch.py"), "w") as file:
            file.write(torch)
        return self.run_.go(code)

    def test_a_module_of_another_kind(self):
        out = self.go("x = 1\n", "import torch; print(torch.x, type(torch.__spec__.loader).__name__, torch.__loader__ is torch.__spec__.loader)")
        self.assertEqual(out, "1 SourceFileLoader True\n")
        self.assertEqual(self.run_.err, "")

    def test_a_module_that_raises(self):
        out = self.go("raise ImportError('broken')\n",
                      "try:\n    import torch\nexcept ImportError as e:\n    print(e)\nimport sys; print('torch' in sys.modules)")
        self.assertEqual(out, "broken\nFalse\n")

    def test_resources_and_source(self):
        out = self.go("x = 1\n", "import torch, inspect, pkgutil; print(inspect.getsource(torch).strip(), pkgutil.get_loader('os') is not None if hasattr(pkgutil, 'get_loader') else True)")
        self.assertEqual(out, "x = 1 True\n")

    def test_imported_again(self):
        out = self.go("x = 1\n", "import sys, importlib, torch; del sys.modules['torch']; import torch; importlib.reload(torch); print(torch.x)")
        self.assertEqual(out, "1\n")
