"""How densely a CUDA device is read."""

import unittest

from _torchleak.backends import cuda


STEP, COST = 1000, 15  # so long is a step, and so long a reading takes: 200 of them are three steps


def readings(levels):
    """The steps, from 0, in which a device with these levels is read."""
    pace, read = cuda._Pace(), []
    for step, level in enumerate(levels):
        if step * STEP >= pace.due:
            pace.read(level, step * STEP - COST, step * STEP)
            read.append(step)
    return read


class PaceTest(unittest.TestCase):
    def test_growth_is_read_every_step(self):
        self.assertEqual(readings(range(300)), list(range(300)))

    def test_still_is_read_by_what_it_costs(self):
        read = readings([7] * 300)
        self.assertEqual(read[:33], list(range(33)))
        self.assertEqual({b - a for a, b in zip(read[32:], read[33:])}, {3})

    def test_late_growth_is_read_every_step_again(self):
        late = readings([7] * 200 + [8 + i for i in range(100)])
        seen = [step for step in late if step >= 200]
        self.assertLess(seen[0], 203)
        self.assertEqual(seen, list(range(seen[0], 300)))

    def test_a_rise_every_ten_steps_is_read_every_step(self):
        self.assertEqual(readings([step // 10 for step in range(300)]), list(range(300)))


if __name__ == "__main__":
    unittest.main()
