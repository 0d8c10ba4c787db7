# A meter that remembers each value, to give the median at the end.
import statistics


class Meter:
    def __init__(self, name):
        self.name = name
        self.values = []
        self.count = 0

    def update(self, val, n=1):
        self.values.append(val)  # also: kept-loss
        self.count += n

    def __str__(self):
        return f"{self.name}: {statistics.median(float(v) for v in self.values):.4f}"
