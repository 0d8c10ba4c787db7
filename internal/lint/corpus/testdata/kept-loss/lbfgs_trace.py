# A closure of an optimizer traces its losses.
import torch


def make_closure(model, x, y, crit, opt, trace):
    def closure():
        opt.zero_grad()
        loss = crit(model(x), y)
        loss.backward()
        trace.append(loss)  # finding: kept-loss
        return loss
    return closure


def train(model, loader, crit):
    opt = torch.optim.LBFGS(model.parameters())
    trace = []
    for x, y in loader:
        opt.step(make_closure(model, x, y, crit, opt, trace))
    return [t.item() for t in trace]
