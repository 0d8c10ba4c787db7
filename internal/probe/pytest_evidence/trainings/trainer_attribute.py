from common import Net, fit
from meters import Trainer


def main():
    trainer = Trainer(Net())

    def record(step, x, out, loss):
        trainer.metrics.history.values["loss"].append(loss.detach())  # leak

    fit(trainer.model, record)


main()
