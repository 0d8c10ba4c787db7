from common import Net, fit


class State:
    def __init__(self, output, previous):
        self.output = output
        self.previous = previous


class Run:
    state = None


run = Run()


def advance(step, x, out, loss):
    run.state = State(out.detach(), run.state)  # leak


fit(Net(), advance)
