"""Keeps the probe's own errors away from the target, and counts them; hands on those that are the target's."""

import functools
import os

# In the names of our files. Which folder the probe was put into is no sign: modules of it outlive that, see attach.py.
OWN = os.sep + "_torchleak" + os.sep

errors = 0
last = ""


def caught(error):
    """Takes note of an error of ours. Raises one again that is none."""
    global errors, last
    hand_on(error)
    errors += 1
    try:
        last = "%s: %s" % (type(error).__name__, error)
    except Exception as second:
        hand_on(second)
        last = type(error).__name__


def hand_on(error):
    """Raises an exception again that a signal handler of the target's has raised while our code ran."""
    step = error.__traceback__
    while step is not None:
        if _interrupts(step.tb_frame):
            raise error
        step = step.tb_next


def let_go(error):
    """Empties the frames of ours that an error came through: while its traceback lives they would keep objects of
    the target's, and on torch 1.13 a tensor that dies in C++ complains of whoever still knows its Python object."""
    step = error.__traceback__
    while step is not None:
        if OWN in step.tb_frame.f_code.co_filename:
            try:
                step.tb_frame.clear()
            except RuntimeError:
                pass  # it still runs
        step = step.tb_next


def _interrupts(frame):
    """Whether a frame was given the one that it stands on, as signal handlers are given what they interrupt."""
    below = frame.f_back
    if below is None or OWN in frame.f_code.co_filename:
        return False
    return any(value is below or type(value) is tuple and any(inner is below for inner in value)
               for value in frame.f_locals.values())


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
