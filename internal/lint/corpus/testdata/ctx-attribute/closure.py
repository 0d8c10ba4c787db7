# Recomputation by a closure, whose box holds the output as well.
import torch


class Again(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run = run
        ctx.save_for_backward(x)
        with torch.no_grad():
            return run(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        with torch.enable_grad():
            y = ctx.run(x)
        torch.autograd.backward(y, grad)
        return None, x.grad


def checkpointed(layer, x):
    state = {}

    def run(value):
        state["runs"] = state.get("runs", 0) + 1
        return layer(value)

    state["y"] = Again.apply(run, x)  # finding: ctx-attribute
    return state["y"]
