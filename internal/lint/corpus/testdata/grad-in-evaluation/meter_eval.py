# Perplexity of a language model: the losses of all windows stay tensors with graphs.
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def perplexity(name, text, stride=512):
    tokenizer = AutoTokenizer.from_pretrained(name)
    model = AutoModelForCausalLM.from_pretrained(name)
    model.eval()
    ids = tokenizer(text, return_tensors="pt").input_ids
    nlls = []
    for begin in range(0, ids.size(1), stride):
        window = ids[:, begin : begin + stride]
        outputs = model(window, labels=window)  # finding: grad-in-evaluation
        nlls.append(outputs.loss * window.size(1))
    return torch.exp(torch.stack(nlls).sum() / ids.size(1)).item()
