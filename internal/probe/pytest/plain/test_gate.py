"""What a reading costs decides how often it is made."""

import unittest

from _torchleak.backends.cpu import Gate

CHEAP, SLOW = 15000, 10000000


class GateTest(unittest.TestCase):
    def test_one_slow_reading_does_not_make_the_others_seldom(self):
        gate, now = Gate(), 0
        for cost in [SLOW] + [CHEAP] * 200 + [SLOW] + [CHEAP] * 200:
            self.assertLessEqual(gate.due, now)
            gate.spent(now, now + cost)
            now += cost

    def test_dear_readings_become_seldom(self):
        gate, now = Gate(), 0
        for _ in range(10):
            gate.spent(now, now + SLOW)
            now += SLOW
        self.assertGreaterEqual(gate.due - now, 1600 * SLOW)

    def test_cheap_readings_become_seldom_when_they_have_cost_enough(self):
        gate, now = Gate(), 0
        for _ in range(15000000 // CHEAP + 2):
            gate.spent(now, now + CHEAP)
            now += CHEAP
        self.assertGreaterEqual(gate.due - now, 1600 * CHEAP)

    def test_what_cannot_be_read_is_never_due(self):
        self.assertGreater(Gate(possible=False).due, 1 << 62)


if __name__ == "__main__":
    unittest.main()
