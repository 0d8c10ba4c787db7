from common import Net, fit
from meters import Trainer

trainer = Trainer(Net())


def record(step, x, out, loss):
    trainer.total = trainer.total + loss  # leak


fit(trainer.model, record)
