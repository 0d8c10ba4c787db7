# A style transfer: losses of the chosen layers are summed in each closure.
import torch


def run(cnn, content, style, image, layers, steps=300):
    optimizer = torch.optim.LBFGS([image.requires_grad_()])
    targets = {name: gram(f).detach() for name, f in cnn.features(style).items()}
    run = [0]
    while run[0] <= steps:

        def closure():
            optimizer.zero_grad()
            style_score = 0
            features = cnn.features(image)
            for name in layers:
                style_score += (gram(features[name]) - targets[name]).pow(2).mean()
            loss = style_score * 1e6 + (image - content).pow(2).mean()
            loss.backward()
            run[0] += 1
            return loss

        optimizer.step(closure)
    return image.detach()


def gram(f):
    f = f.flatten(2)
    return f @ f.transpose(1, 2) / f.numel()
