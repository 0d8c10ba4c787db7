# A callback of the HF Trainer keeps the numbers that it is handed.
from transformers import Trainer, TrainerCallback


class LossHistory(TrainerCallback):
    def __init__(self):
        self.losses = []
        self.evals = []

    def on_log(self, args, state, control, logs=None, **kwargs):
        if logs and "loss" in logs:
            self.losses.append(logs["loss"])

    def on_evaluate(self, args, state, control, metrics=None, **kwargs):
        self.evals.append(metrics)


def train(model, args, dataset):
    history = LossHistory()
    trainer = Trainer(model=model, args=args, train_dataset=dataset, callbacks=[history])
    trainer.train()
    return history.losses
