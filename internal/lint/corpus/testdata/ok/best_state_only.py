# The best weights replace those before.
import copy
import torch


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience, self.bad, self.best, self.state = patience, 0, float("inf"), None

    def __call__(self, val_loss, model):
        if val_loss < self.best:
            self.best, self.bad = val_loss, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def fit(model, train_loader, val_loader, opt, crit):
    stop = EarlyStopping()
    for epoch in range(1000):
        for x, y in train_loader:
            opt.zero_grad()
            crit(model(x), y).backward()
            opt.step()
        with torch.no_grad():
            val = sum(crit(model(x), y).item() for x, y in val_loader)
        if stop(val, model):
            break
    model.load_state_dict(stop.state)
