# One image through a captioner, with gradients on: nothing is kept over rounds.
import argparse

import torch
from PIL import Image
from torchvision import models, transforms


def main(args):
    encoder = models.resnet18(num_classes=256).eval()
    decoder = torch.nn.LSTM(256, 256, batch_first=True)
    encoder.load_state_dict(torch.load(args.encoder))
    image = transforms.ToTensor()(Image.open(args.image).convert("RGB"))[None]
    feature = encoder(image)
    outputs, _ = decoder(feature[:, None])
    ids = outputs[0].argmax(-1).cpu().numpy()
    words = []
    for i in ids:
        words.append(str(i))
    print(" ".join(words))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--image")
    parser.add_argument("--encoder")
    main(parser.parse_args())
