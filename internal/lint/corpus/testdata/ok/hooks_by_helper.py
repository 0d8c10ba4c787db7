# Helpers put hooks on; who calls them takes them off after each look, by the handles that they return.
import torch


class Interpreter:
    def __init__(self, predictor):
        self.predictor = predictor

    def interpret(self, instances):
        results = []
        for instance in instances:
            embeddings, offsets = [], []
            handles = self._register(embeddings, offsets)
            try:
                loss = self.predictor.model(instance).sum()
                loss.backward()
            finally:
                for handle in handles:
                    handle.remove()
            results.append([e.norm().item() for e in embeddings])
        return results

    def _register(self, embeddings, offsets):
        def forward_hook(module, inputs, output):
            embeddings.append(output.squeeze(0).clone().detach())

        def offsets_hook(module, inputs, output):
            offsets.append(inputs[0])

        handles = []
        handles.append(self.predictor.layer().register_forward_hook(forward_hook))
        handles.append(self.predictor.embedder().register_forward_hook(offsets_hook))
        return handles


def record_gradients(layer, gradients):
    def hook(module, grad_in, grad_out):
        gradients.append(grad_out[0])

    return [layer.register_full_backward_hook(hook)]
