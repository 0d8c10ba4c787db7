# Each explanation registers a hook and takes none away.
import torch


def grad_cam(model, layer, x, cls):
    grads = []
    layer.register_full_backward_hook(lambda m, gi, go: grads.append(go[0]))  # finding: hook-per-step
    score = model(x)[:, cls].sum()
    model.zero_grad()
    score.backward()
    return grads[0].mean((2, 3))


def explain(model, loader):
    model.eval()
    maps = []
    for x, y in loader:
        maps.append(grad_cam(model, model.layer4, x, 0).cpu().numpy())
    return maps
