# inference_mode, once as a decorator and once as a context.
import torch
from tqdm import tqdm


@torch.inference_mode()
def predict(model, loader):
    return torch.cat([model(x).sigmoid() for x, _ in tqdm(loader)])


def embed(model, loader):
    vectors = []
    with torch.inference_mode():
        for x, _ in loader:
            vectors.append(model.encode(x))
    return torch.cat(vectors)


def main(model, loader):
    model.eval()
    print(predict(model, loader).mean(), embed(model, loader).norm())
