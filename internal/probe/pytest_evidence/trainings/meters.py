"""Meters that keep what they are given."""


class History:
    def __init__(self):
        self.values = {"loss": [], "accuracy": []}

    def update(self, name, value):
        self.values[name].append(value)


class Metrics:
    def __init__(self):
        self.history = History()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.metrics = Metrics()
        self.total = 0.0
        self.best = {}
