# no_grad in the main thread does not hold in the threads that run the model.
from concurrent.futures import ThreadPoolExecutor

import torch


def score_batch(model, batch, results):
    out = model(batch)  # finding: grad-in-evaluation
    results.append(out)  # also: grad-in-evaluation|kept-output


def score_all(model, batches):
    model.eval()
    results = []
    with torch.no_grad():
        with ThreadPoolExecutor(max_workers=4) as pool:
            for batch in batches:
                pool.submit(score_batch, model, batch, results)
    return torch.cat(results)


def main(model, batches):
    scores = score_all(model, batches)
    print(scores.mean().item())
