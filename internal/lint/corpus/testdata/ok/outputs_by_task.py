# Outputs of one step by task, of which the loss is made.
import torch


def train(model, loader, opt, crit, parts=("a", "b", "c")):
    for batch in loader:
        outs = {}
        for i in batch["task"].tolist():
            outs[i] = model(batch["x"], i)
        loss = sum(crit(o, batch["y"]) for o in outs.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
