"""Per-sample gradients by hooks, for clipping."""
import torch
from torch import nn


class GradSample:
    def __init__(self, model):
        self.layers = [m for m in model.modules() if isinstance(m, nn.Linear)]
        for layer in self.layers:
            layer.activations = []
            layer.register_forward_hook(self.capture)
            layer.register_full_backward_hook(self.combine)

    def capture(self, module, inputs, output):
        if not module.training or not torch.is_grad_enabled():
            return
        module.activations.append(inputs[0].detach())

    def combine(self, module, grad_input, grad_output):
        activation = module.activations.pop()
        module.weight.grad_sample = torch.einsum("no,ni->noi", grad_output[0] * len(activation), activation)
        module.bias.grad_sample = grad_output[0] * len(activation)

    def clip(self, bound):
        for layer in self.layers:
            for p in (layer.weight, layer.bias):
                norms = p.grad_sample.flatten(1).norm(dim=1)
                factor = (bound / (norms + 1e-6)).clamp(max=1)
                p.grad = torch.einsum("n,n...->...", factor, p.grad_sample) / len(norms)
                del p.grad_sample
