# A hook collects for a moment; its list is cleared after each look.
import torch


def check_types(model, run, loader):
    outputs = []

    def collect(module, args, output):
        outputs.append(output)

    model.register_forward_hook(collect)
    run(model, loader)
    assert outputs[0].dtype == torch.float32
    outputs.clear()
    with torch.autocast("cuda"):
        run(model, loader)
    assert outputs[0].dtype == torch.float16
    outputs.clear()
