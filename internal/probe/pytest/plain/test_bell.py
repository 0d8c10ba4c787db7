"""What is raised in code of ours that Python or we would keep to ourselves is raised in the target."""

import os
import signal
import subprocess
import sys
import unittest
import weakref

from _torchleak import guard
from _torchleak.bell import Bell


class Late(Exception):
    pass


class BellTest(unittest.TestCase):
    def test_an_answer_comes_between_two_instructions(self):
        answered = []
        bell = Bell(lambda: answered.append(sys._getframe(2).f_code))
        Canary = type("Canary", (), {"__del__": staticmethod(bell.ring)})
        canary = Canary()
        self.assertEqual(answered, [])
        del canary
        repr(answered)
        self.assertEqual(answered, [sys._getframe().f_code])

    def test_what_an_answer_raises_is_raised_here(self):
        def answer():
            raise KeyboardInterrupt
        Canary = type("Canary", (), {"__del__": staticmethod(Bell(answer).ring)})
        with self.assertRaises(KeyboardInterrupt):
            canary = Canary()
            del canary
            repr(self)


    def test_what_rings_within_an_answer_is_answered_behind_it(self):
        answered = []
        second = Bell(lambda: answered.append("second"))

        def answer():
            second.ring()
            answered.append("first")
            repr(self)
        Bell(answer).ring()
        repr(self)
        self.assertEqual(answered, ["first", "second"])

    def test_a_bell_that_rings_for_ever_ends(self):
        answered = []

        def answer():
            answered.append(1)
            bell.ring()
        bell = Bell(answer)
        bell.ring()
        repr(self)
        self.assertLess(len(answered), 20)

    def test_an_answer_is_traced_while_another_bell_rings(self):
        """CPython 3.11 stood still for ever here."""
        def late(number, frame):
            raise Late

        def answer():
            second.ring()
            sys.settrace(lambda *event: None)
            try:
                (lambda: None)()
            finally:
                sys.settrace(None)
            answered.append(1)
        answered = []
        second = Bell(lambda: None)
        before = signal.signal(signal.SIGALRM, late), sys.gettrace()
        signal.alarm(10)
        try:
            Bell(answer).ring()
            repr(self)
        finally:
            signal.alarm(0)
            sys.settrace(before[1])
            signal.signal(signal.SIGALRM, before[0])
        self.assertEqual(answered, [1])

    def test_a_call_from_outside_is_traced_while_a_bell_rings(self):
        """As when gdb has asked for a text, the collector runs in it, and the program's calls are traced. In a process of its
        own: where it fails it stands still for ever, in a place where no signal is seen."""
        text = ("import ctypes, sys\n"
                "from _torchleak import bell\n"
                "answered = []\n"
                "late = bell.Bell(lambda: answered.append(1))\n"
                "text = b'bell.hush(); late.ring(); sys.settrace(lambda *e: None); (lambda: None)(); "
                "bool(bell.Called(int)); late.ring(); (lambda: None)(); sys.settrace(None); bell.heed()'\n"
                "ctypes.pythonapi.Py_AddPendingCall(ctypes.pythonapi.PyRun_SimpleString, text)\n"
                "repr(text)\n"
                "bell.Bell(bool).ring()\n"
                "repr(text)\n"
                "print(*answered)\n")
        out = subprocess.run([sys.executable, "-c", text], env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
                             stdout=subprocess.PIPE, timeout=60, check=True).stdout
        self.assertIn(b"1", out)

    def test_a_bell_needs_no_more_of_the_stack_than_the_calls_it_is_made_of(self):
        text = ("import ctypes, functools, sys\n"
                "from _torchleak.bell import Bell\n"
                "bare = functools.partial(ctypes.PyDLL(None).Py_IsInitialized)\n"
                "bare.own = 1  # else the partial of it would be one with it\n"
                "def deep(left, held):\n"
                "    if left > 0:\n"
                "        deep(left - 1, held)\n"
                "    held.clear()\n"
                "Canary = type('Canary', (), {'__del__': staticmethod(%s)})\n"
                "sys.setrecursionlimit(300)\n"
                "for depth in range(200, 300):\n"
                "    try:\n"
                "        deep(depth, [Canary()])\n"
                "    except RecursionError:\n"
                "        print('reached')\n"
                "        break\n")

        def complaints(dying):
            """How often Python prints that something was raised while an object died, each nearer to the end of the stack."""
            ended = subprocess.run([sys.executable, "-c", text % dying], env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=True)
            self.assertEqual(ended.stdout, b"reached\n")
            return ended.stderr.count(b"RecursionError")
        self.assertEqual(complaints("Bell(bool).ring"), complaints("functools.partial(bare)"))


class GuardTest(unittest.TestCase):
    def raised_by_a_signal(self, handler):
        """Code of ours in which a signal arrives."""
        signal.signal(signal.SIGALRM, handler)
        guard.guarded(lambda: signal.raise_signal(signal.SIGALRM) or repr(self))()

    def test_what_a_handler_raises_is_handed_on(self):
        def handler(number, frame):
            raise Late
        handlers = (handler, lambda *both: handler(*both))
        for each in handlers:
            with self.assertRaises(Late):
                self.raised_by_a_signal(each)

    def test_frames_of_ours_are_emptied(self):
        class Held:
            pass

        held = Held()
        alive = weakref.ref(held)
        code = compile("def ours(held):\n    raise ValueError", guard.OWN + "x.py", "exec")
        names = {}
        exec(code, names)
        try:
            names["ours"](held)
        except ValueError as error:
            del held
            self.assertIsNotNone(alive())
            guard.let_go(error)
            self.assertIsNone(alive())
            self.assertIn("names", error.__traceback__.tb_frame.f_locals)  # the target's own stay as they are

    def test_an_error_of_ours_is_kept(self):
        before = guard.errors

        def ours():
            raise Late
        guard.guarded(ours)()
        self.assertEqual(guard.errors, before + 1)
        self.assertIn("Late", guard.last)


if __name__ == "__main__":
    unittest.main()
