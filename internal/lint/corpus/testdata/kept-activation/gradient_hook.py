# Gradients caught by a backward hook are kept for a histogram that is never drawn.
import torch


def watch_gradients(model, layer_name):
    grads = []

    def on_backward(module, grad_input, grad_output):
        grads.append(grad_output[0])  # finding: kept-activation

    dict(model.named_modules())[layer_name].register_full_backward_hook(on_backward)
    return grads


def run(model, loader, criterion, optimizer):
    grads = watch_gradients(model, "decoder")
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if i % 100 == 0:
            print("grad norm", grads[-1].norm().item())
