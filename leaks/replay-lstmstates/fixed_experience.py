import random


class ExperienceBuffer:
    def __init__(self, capacity=64):
        self.capacity = capacity
        self.slots = []
        self.position = 0

    def store(self, *transition):
        if len(self.slots) < self.capacity:
            self.slots.append(transition)
        else:
            self.slots[self.position] = transition
        self.position = (self.position + 1) % self.capacity

    def sample(self, n):
        return random.sample(self.slots, min(n, len(self.slots)))
