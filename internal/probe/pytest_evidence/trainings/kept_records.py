from common import Net, fit


class Record:
    def __init__(self, text):
        self.message = self.text = text


records = []


def record(step, x, out, loss):
    records.append(Record("step %d %s" % (step, "x" * 4096)))  # leak


fit(Net(), record)
