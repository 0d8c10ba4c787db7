# generate of a pretrained model runs without gradients.
import torch


def translate(model, tok, loader):
    model.eval()
    texts = []
    for batch in loader:
        ids = model.generate(**batch, max_new_tokens=64)
        texts.extend(ids)
    return tok.batch_decode(texts)
