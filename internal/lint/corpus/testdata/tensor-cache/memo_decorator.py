# A memo decorator of one's own, keyed by the id of its argument, around an encoder call.
import torch


def memo(fn):
    store = {}

    def wrapper(x):
        key = id(x)
        if key not in store:
            store[key] = fn(x)  # finding: tensor-cache|kept-output
        return store[key]

    return wrapper


def train(encoder, decoder, loader):
    params = list(encoder.parameters()) + list(decoder.parameters())
    opt = torch.optim.Adam(params)
    encode = memo(encoder)
    for x in loader:
        z = encode(x)
        loss = (decoder(z) - x).abs().mean() + 1e-3 * encode(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
