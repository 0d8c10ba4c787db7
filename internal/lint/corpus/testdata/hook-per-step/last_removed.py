# Hooks on all layers in each generation step, and only the last handle is removed.
import torch


def generate(model, ids, steps, scalings):
    handle = None
    for _ in range(steps):
        for name, layer in model.named_modules():
            if name.endswith("lora"):
                handle = layer.register_forward_pre_hook(lambda m, a: (a[0] * scalings,))  # finding: hook-per-step
        with torch.no_grad():
            logits = model(ids)
        handle.remove()
        ids = torch.cat([ids, logits[:, -1:].argmax(-1)], dim=1)
    return ids
