import torch


class Metric:
    """Base of metrics with named states."""

    def __init__(self):
        self._defaults = {}

    def add_state(self, name, default):
        self._defaults[name] = default
        setattr(self, name, [] if isinstance(default, list) else default)

    def reset(self):
        for name, default in self._defaults.items():
            setattr(self, name, [] if isinstance(default, list) else default)


class AveragePrecision(Metric):
    def __init__(self):
        super().__init__()
        self.add_state("preds", default=[])
        self.add_state("target", default=[])

    def update(self, preds, target):
        self.preds.append(preds)  # leak
        self.target.append(target)  # leak

    def compute(self):
        preds, target = torch.cat(self.preds), torch.cat(self.target)
        hits = target[preds.argsort(descending=True)].float()
        precision = hits.cumsum(0) / torch.arange(1, len(hits) + 1, device=hits.device)
        return ((precision * hits).sum() / hits.sum().clamp(min=1)).item()
