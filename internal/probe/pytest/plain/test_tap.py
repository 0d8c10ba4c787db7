"""Calls of methods are noticed, from their beginning to their end."""

import unittest

from _torchleak.tap import Tap, begin


class TapTest(unittest.TestCase):
    def test_a_call_that_two_notice_ends_once_it_is_over(self):
        seen = []
        begin()

        class Module:
            def __call__(self):
                seen.append("runs")

        taps = [Tap(Module, "__call__", lambda *_, name=name: lambda: seen.append(name + " ended")) for name in ("inner", "outer")]
        for tap in taps:
            tap.apply()
        self.addCleanup(lambda: [tap.remove() for tap in reversed(taps)])
        Module()()
        repr(self)
        self.assertEqual(seen[0], "runs")
        self.assertEqual(sorted(seen[1:]), ["inner ended", "outer ended"])


if __name__ == "__main__":
    unittest.main()
