# A trainer exports to ONNX in its interval method, which is called from the training loop.
import torch


class Exporter:
    def __init__(self, example, path):
        self.example = example
        self.path = path

    def save(self, model, step):
        torch.onnx.export(model, self.example, f"{self.path}/{step}.onnx")  # finding: trace-per-step


def train(model, loader, exporter, loss_fn, optimizer):
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()
        if step % 500 == 0:
            exporter.save(model, step)  # also: trace-per-step
