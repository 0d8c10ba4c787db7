import contextvars

from common import Net, fit

log = contextvars.ContextVar("log", default=())


def record(step, x, out, loss):
    log.set(log.get() + ((step, loss),))  # leak


fit(Net(), record)
