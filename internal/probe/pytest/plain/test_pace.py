"""How densely a CUDA device is read."""

import random
import unittest

from _torchleak.backends import cuda


STEP, COST = 1000, 10  # so long is a step, and so long a reading takes: 400 of them are four steps


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
        self.assertEqual({b - a for a, b in zip(read[32:], read[33:])}, {4})

    def test_late_growth_is_read_every_step_again(self):
        late = readings([7] * 200 + [8 + i for i in range(100)])
        seen = [step for step in late if step >= 200]
        self.assertLess(seen[0], 204)
        self.assertEqual(seen, list(range(seen[0], 300)))

    def test_a_rise_every_ten_steps_is_read_every_step(self):
        self.assertEqual(readings([step // 10 for step in range(300)]), list(range(300)))

    def test_ups_and_downs_are_read_by_what_they_cost(self):
        level = random.Random(1).randrange
        self.assertLess(len(readings([level(1000) for _ in range(4000)])), 1800)

    def test_growth_below_an_old_height_is_read_every_step_in_the_end(self):
        read = readings([10 ** 6] + list(range(6000)))
        self.assertEqual(read[-100:], list(range(5901, 6001)))


if __name__ == "__main__":
    unittest.main()
