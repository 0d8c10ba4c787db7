from collections import defaultdict

import torch


class ActivationStats:
    """Spread of the activations of chosen layers."""

    def __init__(self):
        self.outputs = defaultdict(list)

    def watch(self, name, module):
        def hook(_module, _inputs, output):
            self.outputs[name].append(output.detach())  # leak
        return module.register_forward_hook(hook)

    def summary(self):
        return {name: round(torch.cat(values[-20:]).std().item(), 3) for name, values in self.outputs.items()}
