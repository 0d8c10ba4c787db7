"""Prioritised replay on a binary sum tree, kept as a flat list."""
import random


class SumTree:
    def __init__(self, capacity):
        self.capacity = capacity
        self.tree = [0.0] * (2 * capacity - 1)
        self.data = [None] * capacity
        self.write = 0

    def _propagate(self, node, change):
        while node:
            node = (node - 1) // 2
            self.tree[node] = self.tree[node] + change  # leak

    def update(self, i, priority):
        node = i + self.capacity - 1
        change = priority - self.tree[node]
        self.tree[node] = priority  # leak?
        self._propagate(node, change)

    def add(self, transition, priority=1.0):
        self.data[self.write] = transition
        self.update(self.write, priority)
        self.write = (self.write + 1) % self.capacity

    def sample(self):
        target, node = random.random() * float(self.tree[0]), 0
        while node < self.capacity - 1:
            left = 2 * node + 1
            value = float(self.tree[left])
            if target <= value:
                node = left
            else:
                target -= value
                node = left + 1
        return node - self.capacity + 1
