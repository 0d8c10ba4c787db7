from common import Net, fit


class Logger:
    rows = []

    def log(self, value):
        self.rows.append(value)  # leak


logger = Logger()
fit(Net(), lambda step, x, out, loss: logger.log(loss))
