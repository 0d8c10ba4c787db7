from collections import defaultdict


class GradientLog:
    """Gradients by layer, to draw their flow after training."""

    def __init__(self):
        self.history = defaultdict(list)

    def log(self, model):
        for name, p in model.named_parameters():
            if p.grad is not None and name.endswith("weight"):
                self.history[name] = [float(p.grad.detach().abs().mean())]

    def flow(self):
        return {name: float(grads[-1]) for name, grads in self.history.items()}
