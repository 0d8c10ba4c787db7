import torch


class Callback:
    def on_train_start(self, trainer):
        pass

    def on_batch_end(self, trainer, step, outputs):
        pass

    def on_train_end(self, trainer):
        pass


class LearningRateMonitor(Callback):
    def __init__(self):
        self.rates = {}

    def on_batch_end(self, trainer, step, outputs):
        if step % 25 == 0:
            self.rates[step] = trainer.optimizer.param_groups[0]["lr"]


class ResidualReport(Callback):
    """Reports how the mean residual developed."""

    def __init__(self):
        self.records = []

    def on_batch_end(self, trainer, step, outputs):
        self.records.append((step, {k: float(v.detach().abs().mean()) for k, v in outputs.items()}))
        del self.records[1:-1]

    def on_train_end(self, trainer):
        means = torch.tensor([o["residual"] for _, o in self.records])
        print("residual first %.4f last %.4f" % (means[0], means[-1]))
