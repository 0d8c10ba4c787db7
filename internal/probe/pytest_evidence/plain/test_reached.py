"""How many nodes hang on tensors whose graphs there was no time to walk whole."""

import types
import unittest

from _torchleak.evidence import graph, snapshot


class Node:
    def __init__(self, *before):
        self.next_functions = [(node, 0) for node in before]


def row(length, before=None):
    node = before
    for _ in range(length):
        node = Node(*([node] if node else []))
    return node


READER = types.SimpleNamespace(grad_fn=lambda node: node)


def reached(nodes, limit):
    """By a walk that is cut off after so many nodes."""
    return snapshot._reached(graph.Walk(limit, 60), READER, iter(nodes), len(nodes))


class Reached(unittest.TestCase):
    def test_whole(self):
        self.assertEqual(reached([row(10) for _ in range(5)], 1000), 50)

    def test_cut_off_in_a_later_graph(self):
        self.assertEqual(reached([row(10) for _ in range(50)], 35), 10 + 25 * 49 // 2)

    def test_cut_off_in_the_second_graph(self):
        self.assertEqual(reached([row(10) for _ in range(50)], 14), 500)

    def test_cut_off_in_the_first_graph(self):
        self.assertEqual(reached([row(100) for _ in range(5)], 14), 14)

    def test_graphs_in_each_other(self):
        chain = [row(10)]
        for _ in range(9):
            chain.append(row(10, chain[-1]))
        self.assertEqual(reached(chain[::-1], 1000), 100)


if __name__ == "__main__":
    unittest.main()
