# A logger's class gathers rows that hold losses.
import torch


class Logger:
    rows = []

    @classmethod
    def write(cls, **row):
        cls.rows.append(row)  # finding: kept-loss

    @classmethod
    def dump(cls, path):
        torch.save(cls.rows, path)


def train(model, loader, opt, crit):
    for step, (x, y) in enumerate(loader):
        out = model(x)
        loss = crit(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        Logger.write(step=step, loss=loss, lr=opt.param_groups[0]["lr"])
    Logger.dump("log.pt")
