# A forward in the place of the model's gathers its outputs.
import torch
import types


def patch(model, outputs):
    original = model.forward

    def forward(self, *args, **kw):
        out = original(*args, **kw)
        outputs.append(out)  # finding: kept-activation|kept-output
        return out
    model.forward = types.MethodType(forward, model)


def train(model, loader, opt, crit):
    outputs = []
    patch(model, outputs)
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
