# Compiled before the loop, traced after it, scripted by decorator.
import torch


@torch.jit.script
def gelu(x):
    return x * 0.5 * (1.0 + torch.erf(x / 1.41421))


def main(model, loader, criterion, example):
    compiled = torch.compile(model)
    optimizer = torch.optim.AdamW(compiled.parameters())
    for epoch in range(3):
        for x, y in loader:
            loss = criterion(gelu(compiled(x)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    traced = torch.jit.trace(model.eval(), example)
    traced.save("model.pt")
    torch.onnx.export(model, example, "model.onnx")
