# sys.exc_info() puts the traceback itself into a list.
import sys
import traceback


class Watchdog:
    def __init__(self):
        self.crashes = []

    def guard(self, fn, *args):
        try:
            return fn(*args)
        except Exception:
            self.crashes.append(sys.exc_info())  # finding: kept-exception
            return None

    def report(self):
        for kind, value, tb in self.crashes:
            traceback.print_exception(kind, value, tb)


def train(step, loader):
    dog = Watchdog()
    for batch in loader:
        dog.guard(step, batch)
    dog.report()
