# A trainer rebuilds the groups of its pipeline at the start of each epoch.
from torch import distributed as dist


class PipelineTrainer:
    def __init__(self, stages, engine):
        self.stages = stages
        self.engine = engine
        self.groups = []

    def setup_groups(self):
        self.groups = [
            dist.new_group([i, i + 1])  # finding: process-group-per-step
            for i in range(self.stages - 1)
        ]

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.setup_groups()  # also: process-group-per-step
            for batch in loader:
                self.engine.step(batch, self.groups)
