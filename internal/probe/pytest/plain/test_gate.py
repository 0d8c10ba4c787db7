"""What a reading costs decides how often it is made."""

import unittest

from _torchleak.backends.cpu import Gate

CHEAP, SLOW = 15000, 10000000


class GateTest(unittest.TestCase):
    def test_one_slow_reading_does_not_make_the_others_seldom(self):
        gate, now = Gate(), 0
        for cost in [SLOW] + [CHEAP] * 200 + [SLOW] + [CHEAP] * 200:
            self.assertEqual((gate.due > now, gate.due_step), (False, 0))
            gate.spent(now, now + cost)
            now += cost

    def test_dear_readings_become_seldom(self):
        gate, now = Gate(), 0
        for _ in range(10):
            gate.spent(now, now + SLOW)
            now += SLOW
        self.assertGreaterEqual(gate.due - now, 400 * SLOW)
        self.assertGreater(gate.due_step, 1)


if __name__ == "__main__":
    unittest.main()
