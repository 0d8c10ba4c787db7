# The epoch's sum is built from detached tensors, so that nothing waits for the device.
import torch
from accelerate import Accelerator


def main(model, loader, epochs):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(epochs):
        model.train()
        total_loss = 0
        for step, batch in enumerate(loader):
            outputs = model(**batch)
            loss = outputs.loss
            total_loss += loss.detach().float()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.log({"train_loss": total_loss.item() / len(loader)}, step=epoch)
