"""Which names hold a graph that grows, told from counts of which some are of walks that were cut short."""

import types
import unittest

from _torchleak.evidence import growth
from _torchleak.evidence.snapshot import Slot


def slot(tensor, nodes, truncated, sequence, inside=()):
    made = Slot(tensor, 4)
    made.nodes, made.truncated, made.sequence, made.inside = nodes, truncated, sequence, frozenset(inside)
    return made


def grown(*slots):
    return bool(growth._slots([types.SimpleNamespace(slots={"loss": s}) for s in slots]))


class Slots(unittest.TestCase):
    def test_whole_walks(self):
        self.assertTrue(grown(slot(1, 100, False, 10, {10}), slot(2, 150, False, 20, {10, 20})))
        self.assertFalse(grown(slot(1, 100, False, 10, {10}), slot(2, 100, False, 20, {20})))

    def test_the_clock_ended_both_walks(self):
        first = slot(1, 191, True, 10, {10})
        self.assertFalse(grown(first, slot(2, 255, True, 20, {20})), "a loss of each step, walked a little further")
        self.assertTrue(grown(first, slot(2, 255, True, 20, {10, 20})), "the later graph leads to the earlier step")

    def test_the_clock_ended_the_first_walk(self):
        self.assertFalse(grown(slot(1, 191, True, 10, {10}), slot(2, 700, False, 20, {20})))
        self.assertTrue(grown(slot(1, 191, True, 10, {10}), slot(2, 700, False, 20, {10, 20})))

    def test_the_later_walk_met_its_limit(self):
        self.assertTrue(grown(slot(1, 700, False, 10, {10}), slot(2, 20000, True, 20, {20})))

    def test_an_old_torch_has_no_numbers(self):
        self.assertTrue(grown(slot(1, 20000, True, None), slot(2, 20000, True, None)))
        self.assertFalse(grown(slot(1, 20000, True, None), slot(1, 20000, True, None)), "the same tensor all the time")


if __name__ == "__main__":
    unittest.main()
