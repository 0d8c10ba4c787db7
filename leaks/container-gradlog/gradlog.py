from collections import defaultdict


class GradientLog:
    """Gradients by layer, to draw their flow after training."""

    def __init__(self):
        self.history = defaultdict(list)

    def log(self, model):
        for name, p in model.named_parameters():
            if p.grad is not None and name.endswith("weight"):
                self.history[name].append(p.grad.detach().cpu().numpy().copy())  # leak

    def flow(self):
        return {name: float(abs(grads[-1]).mean()) for name, grads in self.history.items()}
