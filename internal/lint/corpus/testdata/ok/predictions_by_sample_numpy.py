# Predictions by sample as arrays.
import torch


def train(model, loader, opt, crit):
    preds = {}
    for epoch in range(10):
        for idx, x, y in loader:
            out = model(x)
            loss = crit(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            for i, o in zip(idx.tolist(), out.detach().softmax(1).cpu().numpy()):
                preds[i] = o
    return preds
