# A cell is unrolled within the step.
import torch


def train(model, loader, opt, crit, steps=8):
    for x, y in loader:
        h = model.start(x)
        outs = []
        for _ in range(steps):
            h = model.cell(h)
            outs.append(model.read(h))
        loss = sum(crit(o, y) for o in outs)
        opt.zero_grad()
        loss.backward()
        opt.step()
