# The losses of several scales and tasks are summed within a step.
import torch


def train(model, loader, optimizer, criterion, weights):
    for batch in loader:
        loss = torch.zeros((), device=batch["image"].device)
        outputs = model(batch["image"])
        for scale, output in enumerate(outputs):
            target = torch.nn.functional.interpolate(batch["depth"], output.shape[-2:])
            loss = loss + weights[scale] * criterion(output, target)
        for name, head in model.heads.items():
            loss += 0.1 * criterion(head(outputs[0]), batch[name])
        regular = sum(p.pow(2).sum() for p in model.parameters())
        total = loss + 1e-5 * regular
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
