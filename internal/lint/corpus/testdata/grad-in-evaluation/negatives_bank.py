# A bank for hard negatives is made with gradients on.
import torch


def hard_negatives(model, anchors, pool, k=16):
    model.eval()
    bank = []
    for p in pool.split(512):
        bank.append(model(p))  # finding: grad-in-evaluation
    bank = torch.cat(bank)
    model.train()
    return (model(anchors) @ bank.t()).topk(k).indices


def train(model, loader, pool, opt, crit):
    for anchors, y in loader:
        idx = hard_negatives(model, anchors, pool)
        loss = crit(model(anchors), model(pool[idx[:, 0]]), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
