# A class-activation helper collects in its hooks and is used for each batch of a training.
class ActivationsAndGradients:
    """Collects activations and gradients of the target layers."""

    def __init__(self, model, target_layers):
        self.model = model
        self.gradients = []
        self.activations = []
        self.handles = []
        for layer in target_layers:
            self.handles.append(layer.register_forward_hook(self.save_activation))

    def save_activation(self, module, input, output):
        self.activations.append(output)  # finding: kept-activation

    def __call__(self, x):
        return self.model(x)

    def release(self):
        for handle in self.handles:
            handle.remove()


def train(model, loader, criterion, optimizer):
    cam = ActivationsAndGradients(model, [model.layer4])
    for x, y in loader:
        optimizer.zero_grad()
        criterion(cam(x), y).backward()
        optimizer.step()
