class FeatureExtractor:
    """Registers hooks on the target layers and collects what they put out."""

    def __init__(self, model, target_layers):
        self.model = model
        self.activations = []
        self.handles = []
        for layer in target_layers:
            self.handles.append(layer.register_forward_hook(self.save_activation))  # leak?

    def save_activation(self, module, inputs, output):
        self.activations.append(output)  # leak

    def attention_map(self):
        return self.activations[-1].detach().abs().mean((0, 1))

    def release(self):
        for handle in self.handles:
            handle.remove()
