# Exceptions are logged, counted and kept as text.
import logging
import traceback

import torch

log = logging.getLogger("train")


def train(step, loader):
    errors = []
    skipped = 0
    for i, batch in enumerate(loader):
        try:
            step(batch)
        except torch.cuda.OutOfMemoryError:
            skipped += 1
            log.exception("out of memory in step %d", i)
        except ValueError as exc:
            errors.append(f"{i}: {exc!r}")
        except KeyError as exc:
            errors.append((i, str(exc), traceback.format_exc()))
    return errors, skipped
