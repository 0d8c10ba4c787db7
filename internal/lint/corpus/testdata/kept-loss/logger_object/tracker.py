# A tracker that keeps its rows in memory and writes them when the run ends.
import json


class Run:
    def __init__(self, name):
        self.name = name
        self.rows = []

    def log(self, values, step):
        row = dict(values)
        row["step"] = step
        self.rows.append(row)  # also: kept-loss

    def finish(self):
        with open(self.name + ".jsonl", "w") as out:
            for row in self.rows:
                out.write(json.dumps({k: float(v) for k, v in row.items()}) + "\n")
