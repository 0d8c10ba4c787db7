class Study:
    def __init__(self):
        self.trials = []

    def optimize(self, objective, candidates):
        for lr in candidates:
            trial = {"lr": lr}
            trial["value"] = objective(trial)
            self.trials.append(trial)  # leak

    @property
    def best(self):
        return min(self.trials, key=lambda t: t["value"])
