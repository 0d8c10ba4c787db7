# Exceptions by step on the trainer, with the batch they came from.
import logging

log = logging.getLogger(__name__)


class RobustTrainer:
    def __init__(self, step_fn, max_errors=100):
        self.step_fn = step_fn
        self.max_errors = max_errors
        self.errors = {}

    def fit(self, loader):
        for step, batch in enumerate(loader):
            try:
                self.step_fn(batch)
            except (ValueError, FloatingPointError) as e:
                log.warning("step %d: %s", step, e)
                self.errors[step] = e  # finding: kept-exception
                if len(self.errors) > self.max_errors:
                    raise
