from common import Net, fit


class Log:
    rows = ()

    def add(self, value):
        self.rows = list(self.rows) + [value]  # leak


log = Log()
fit(Net(), lambda step, x, out, loss: log.add(loss.detach()))
