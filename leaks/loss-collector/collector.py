"""Collects per-batch statistics and aggregates them at the end of an episode."""
import collections.abc


class StatisticsCollector(collections.abc.Mapping):
    def __init__(self):
        self.statistics = {}
        self.formatting = {}

    def add_statistics(self, key, fmt):
        self.formatting[key] = fmt
        self.statistics[key] = []

    def __getitem__(self, key):
        return self.statistics[key][-1]

    def __setitem__(self, key, value):
        self.statistics[key].append(value)  # leak

    def __len__(self):
        return len(self.statistics)

    def __iter__(self):
        return iter(self.statistics)

    def export(self):
        return " ".join(("%s " + self.formatting[k]) % (k, self[k]) for k in self)
