# The hook is removed after each explanation.
import torch


def grad_cam(model, layer, x, cls):
    grads = []
    handle = layer.register_full_backward_hook(lambda m, gi, go: grads.append(go[0]))
    try:
        score = model(x)[:, cls].sum()
        model.zero_grad()
        score.backward()
    finally:
        handle.remove()
    return grads[0].mean((2, 3))


def explain(model, loader):
    model.eval()
    return [grad_cam(model, model.layer4, x, 0).cpu().numpy() for x, _ in loader]
