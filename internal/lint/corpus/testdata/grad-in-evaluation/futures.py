# no_grad holds for the thread that says it, not for those that run the model.
import torch
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(2)


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.pending = []

    def run(self, loader):
        self.model.eval()
        with torch.no_grad():
            for x, y in loader:
                self.pending.append(pool.submit(self.work, x, y))
        return torch.stack([p.result() for p in self.pending]).mean()

    def work(self, x, y):
        return torch.nn.functional.cross_entropy(self.model(x), y)  # finding: grad-in-evaluation
