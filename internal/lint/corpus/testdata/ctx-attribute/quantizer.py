# A straight-through quantizer notes its mask on ctx instead of saving it.
import torch


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, bits):
        limit = 2 ** (bits - 1) - 1
        scaled = x / scale
        ctx.mask = scaled.abs() <= limit  # finding: ctx-attribute
        ctx.bits = bits
        return scaled.round().clamp(-limit, limit) * scale

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.mask, None, None


def fake_quant(module, bits=8):
    scale = module.weight.detach().abs().max() / (2 ** (bits - 1) - 1)
    return Quantize.apply(module.weight, scale, bits)
