"""Keeps the probe's own errors away from the target, and counts them."""

import functools

errors = 0
last = ""


def caught(error):
    """Takes note of an error of ours."""
    global errors, last
    errors += 1
    try:
        last = "%s: %s" % (type(error).__name__, error)
    except Exception:
        last = type(error).__name__


def guarded(function):
    """Makes a function of ours that returns None instead of raising."""

    @functools.wraps(function)
    def safe(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            caught(error)
            return None

    return safe
