# The same with numbers; and the parts of one step, which go with it.
import torch


def train(model, loader, optimizer):
    def step(x):
        outputs = [model(part) for part in x.chunk(4)]
        loss = torch.stack([out.square().mean() for out in outputs]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    losses = [step(x) for x in loader]
    print(sum(losses) / len(losses))
