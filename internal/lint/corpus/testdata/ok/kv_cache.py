# Keys and values of one generation: the cache is made anew for each prompt.
import torch


@torch.no_grad()
def generate(model, prompt, steps):
    keys, values = [], []
    ids = prompt
    for _ in range(steps):
        logits, k, v = model(ids[:, -1:], keys, values)
        keys.append(k)
        values.append(v)
        ids = torch.cat([ids, logits[:, -1:].argmax(-1)], dim=1)
    return ids


def main(model, prompts):
    model.eval()
    for prompt in prompts:
        print(generate(model, prompt, 50).tolist())
