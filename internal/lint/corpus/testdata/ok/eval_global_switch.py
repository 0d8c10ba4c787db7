# A test script turns gradients off for good before anything else.
import argparse

import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weights")
    args = parser.parse_args()
    torch.set_grad_enabled(False)
    model = torch.hub.load("pytorch/vision", "resnet18")
    model.load_state_dict(torch.load(args.weights))
    model.eval()
    outputs = []
    for batch in torch.randn(100, 8, 3, 224, 224):
        outputs.append(model(batch))
    torch.save(torch.cat(outputs), "out.pt")


main()
