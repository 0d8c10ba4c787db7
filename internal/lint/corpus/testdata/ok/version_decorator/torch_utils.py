# A decorator for functions without gradients, by the release of torch.
import torch

NEW = hasattr(torch, "inference_mode")


def no_gradients(new=NEW):
    def decorate(fn):
        return (torch.inference_mode if new else torch.no_grad)()(fn)

    return decorate


def smooth(x, f=0.05):
    n = round(len(x) * f * 2) // 2 + 1
    return torch.nn.functional.avg_pool1d(x[None, None], n, 1, n // 2)[0, 0]
