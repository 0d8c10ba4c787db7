from collections import defaultdict

import torch


class ActivationStats:
    """Spread of the activations of chosen layers."""

    def __init__(self):
        self.outputs = defaultdict(list)

    def watch(self, name, module):
        def hook(_module, _inputs, output):
            self.outputs[name].append(float(output.detach().std()))
        return module.register_forward_hook(hook)

    def summary(self):
        return {name: round(torch.tensor(values[-20:]).mean().item(), 3) for name, values in self.outputs.items()}
