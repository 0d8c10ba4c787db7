class TrajectoryStore:
    """Numbers trajectories and gives the best ones back."""

    def __init__(self):
        self.storage = {}
        self.total = 0

    def push(self, trajectory):
        self.storage[self.total % 32] = {k: v.detach() for k, v in trajectory.items()}
        self.total += 1

    def best(self, n=3):
        return sorted(self.storage.values(), key=lambda t: -t["reward"].max().item())[:n]
