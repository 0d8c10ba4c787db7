# Stacks that forward hooks fill for backward hooks: one where gradients are on only, one that a clip empties.
import torch


class Captured:
    def __init__(self, layers):
        for layer in layers:
            layer.stack, layer.rest = [], []
            layer.register_forward_hook(self.capture)
            layer.register_forward_hook(self.remember)
            layer.register_full_backward_hook(self.combine)

    def capture(self, module, args, output):
        if torch.is_grad_enabled():
            module.stack.append(args[0].detach())

    def remember(self, module, args, output):
        module.rest.append(output.detach())

    def combine(self, module, grad_input, grad_output):
        module.weight.sample = torch.einsum("no,ni->noi", grad_output[0], module.stack.pop())
        module.bias.sample = grad_output[0] * module.rest.pop()

    def clip(self, layers):
        for layer in layers:
            layer.rest.clear()


def validate(model, loader):
    with torch.no_grad():
        return sum(model(x).argmax(1).sum().item() for x in loader)
