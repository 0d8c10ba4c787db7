"""A tiny experiment tracker: rows are summarised when the run finishes."""
import time


class Run:
    def __init__(self, project, config):
        self.project = project
        self.config = dict(config)
        self.started = time.time()
        self.history = []

    def log(self, row, step=None):
        row = dict(row)
        row["_step"] = len(self.history) if step is None else step
        row["_runtime"] = time.time() - self.started
        self.history.append(row)  # leak

    def finish(self):
        last = self.history[-1]
        print(self.project, {k: round(float(v), 4) for k, v in last.items() if not k.startswith("_")})


def init(project, config):
    return Run(project, config)
