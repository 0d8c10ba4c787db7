import random
import unittest

from _torchleak.clock import BACKWARD, DATA, FORWARD, MANUAL, OPTIMIZER, TIME, Clock
from _torchleak.pacemaker import Pacemaker


def ticks(clock, *events):
    """How many steps the events make."""
    return sum(clock.event(kind) for kind in events)


class ClockTest(unittest.TestCase):
    def test_optimizer_is_believed_at_once(self):
        clock = Clock()
        self.assertEqual(ticks(clock, *[DATA, BACKWARD, OPTIMIZER] * 5), 5)
        self.assertEqual(clock.active, OPTIMIZER)

    def test_accumulation_counts_optimizer_steps_only(self):
        clock = Clock()
        clock.optimizer_made = True
        self.assertEqual(ticks(clock, *([DATA, BACKWARD] * 16 + [OPTIMIZER]) * 20), 20)

    def test_long_accumulation_is_taken_over_in_the_first_step(self):
        clock = Clock()
        clock.optimizer_made = True
        ticks(clock, *[BACKWARD] * 40)
        self.assertEqual(clock.active, BACKWARD)
        self.assertEqual(ticks(clock, *([OPTIMIZER] + [BACKWARD] * 40) * 10), 10)

    def test_what_is_counted_beforehand_changes_no_step(self):
        pick = random.Random(7)
        for _ in range(40):
            told, asked = Clock(), Clock()
            for _ in range(300):
                kind = pick.choice([OPTIMIZER, BACKWARD, BACKWARD, BACKWARD, DATA])
                for _ in range(pick.choice([1, 1, 1, 40])):
                    step = told.event(kind)
                    self.assertEqual(step, not asked.counted(kind) and asked.event(kind))
            self.assertEqual((told.active, told.ticks), (asked.active, asked.ticks))

    def test_manual_updates(self):
        clock = Clock()
        # The first backward is patience.
        self.assertEqual(ticks(clock, *[DATA, FORWARD, BACKWARD] * 20), 19)

    def test_validation_of_known_length_does_not_take_over(self):
        clock = Clock()
        ticks(clock, *[OPTIMIZER] * 10)
        for length in (40, 60, 100):
            ticks(clock, *[DATA] * length)
            self.assertEqual(clock.active, OPTIMIZER)
            ticks(clock, OPTIMIZER)

    def test_first_long_validation_takes_over_and_later_ones_do_not(self):
        clock = Clock()
        ticks(clock, *[OPTIMIZER] * 10)
        # Batch 64 is the first that counts.
        self.assertEqual(ticks(clock, *[DATA] * 500), 437)
        self.assertEqual(ticks(clock, *[OPTIMIZER] * 3), 3)
        self.assertEqual(ticks(clock, *[DATA] * 500), 0)
        self.assertEqual(clock.active, OPTIMIZER)

    def test_manual_overrides_for_good(self):
        clock = Clock()
        ticks(clock, *[OPTIMIZER] * 10)
        self.assertEqual(ticks(clock, *[MANUAL, OPTIMIZER, DATA] * 200), 200)

    def test_time_comes_last(self):
        clock = Clock()
        self.assertEqual(ticks(clock, *[TIME] * 12), 3)
        self.assertEqual(ticks(clock, *[FORWARD] * 4), 1)
        self.assertEqual(clock.active, FORWARD)


class Thing:
    """An optimizer whose comparison must not be called."""

    def __eq__(self, other):
        raise AssertionError

    __hash__ = None


class PacemakerTest(unittest.TestCase):
    def count(self, pace, *things):
        return sum(pace.ticks(thing) for thing in things)

    def test_first_leads_among_equals(self):
        pace, a, b = Pacemaker(32), Thing(), Thing()
        self.assertEqual(self.count(pace, *[a, b] * 50), 50)

    def test_slower_one_sets_the_period(self):
        pace, critic, generator = Pacemaker(32), Thing(), Thing()
        loop = [critic] * 5 + [generator]
        self.count(pace, *loop * 4)
        self.assertEqual(self.count(pace, *loop * 50), 50)

    def test_slow_loops_stay_with_the_slow_one(self):
        pace, critic, generator = Pacemaker(32), Thing(), Thing()
        loop = [critic] * 20 + [generator]
        self.count(pace, *loop * 4)
        self.assertEqual(self.count(pace, *loop * 50), 50)

    def test_once_an_epoch_is_no_period(self):
        pace, fast, slow = Pacemaker(32), Thing(), Thing()
        loop = [fast] * 100 + [slow]
        self.assertEqual(self.count(pace, *loop * 10), 1000)

    def test_second_training_takes_over(self):
        pace, first, second = Pacemaker(32), Thing(), Thing()
        self.count(pace, *[first] * 100)
        # The ninth step of the second is the first beyond the silence allowed.
        self.assertEqual(self.count(pace, *[second] * 100), 92)

    def test_each_trial_makes_its_own(self):
        pace, kept = Pacemaker(32), []
        for _ in range(20):
            kept.append(Thing())
            pace.made(kept[-1])
            self.assertEqual(self.count(pace, *[kept[-1]] * 12), 12)

    def test_inner_loops_make_their_own(self):
        pace, outer, kept = Pacemaker(32), Thing(), []
        pace.made(outer)
        self.count(pace, *[outer] * 10)
        counted = 0
        for _ in range(50):
            kept.append(Thing())
            pace.made(kept[-1])
            counted += self.count(pace, *[kept[-1]] * 10 + [outer])
        self.assertLessEqual(50, counted)
        self.assertLessEqual(counted, 60)  # all of the first inner loop, then only the outer's

    def test_one_made_early_is_no_next_training(self):
        pace, fast, slow = Pacemaker(32), Thing(), Thing()
        pace.made(fast)
        pace.made(slow)
        self.assertEqual(self.count(pace, *([fast] * 100 + [slow]) * 10), 1000)

    def test_leader_that_is_gone(self):
        pace, second = Pacemaker(32), Thing()
        self.count(pace, *[Thing()] * 100)
        self.assertEqual(self.count(pace, *[second] * 10), 10)

    def test_one_optimizer_a_parameter(self):
        pace, many = Pacemaker(32), [Thing() for _ in range(40)]
        self.assertEqual(self.count(pace, *many * 20), 20)
