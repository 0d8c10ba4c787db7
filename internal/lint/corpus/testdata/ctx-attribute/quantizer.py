# A straight-through quantizer notes its mask and its result on ctx.
import torch


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, bits):
        limit = 2 ** (bits - 1) - 1
        scaled = x / scale
        ctx.mask = scaled.abs() <= limit  # also: ctx-attribute
        ctx.bits = bits
        ctx.result = scaled.round().clamp(-limit, limit) * scale  # finding: ctx-attribute
        return ctx.result

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.mask * (ctx.result != 0), None, None


def fake_quant(module, bits=8):
    scale = module.weight.detach().abs().max() / (2 ** (bits - 1) - 1)
    return Quantize.apply(module.weight, scale, bits)
