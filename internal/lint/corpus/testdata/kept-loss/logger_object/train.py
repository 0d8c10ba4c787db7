# The run's logger, in another file, keeps the dictionaries it is given.
import torch
import torch.nn.functional as F

from tracker import Run


def train(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters())
    run = Run("baseline")
    step = 0
    for epoch in range(epochs):
        for x, y in loader:
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            run.log({"loss": loss, "epoch": epoch}, step)  # finding: kept-loss
            step += 1
    run.finish()
