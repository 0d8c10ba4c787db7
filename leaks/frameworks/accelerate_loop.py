"""A regression under Accelerate with gradient accumulation; the evaluation collects predictions with their graph."""
import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.nn import functional as F


def evaluate(accelerator, model, loader, seen):
    model.eval()
    for x, y in loader:
        prediction = model(x)
        seen.append(accelerator.gather(prediction))  # leak
    model.train()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=160)
    p.add_argument("--accumulate", type=int, default=2)
    a = p.parse_args()
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=a.accumulate)
    x = torch.randn(2048, 64)
    data = torch.utils.data.TensorDataset(x, x.pow(2).sum(1, keepdim=True))
    model = nn.Sequential(nn.Linear(64, 512), nn.GELU(), nn.Linear(512, 512), nn.GELU(), nn.Linear(512, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
    held_out = torch.utils.data.DataLoader(torch.utils.data.Subset(data, range(128)), batch_size=64)
    model, optimizer, train, held_out = accelerator.prepare(model, optimizer, train, held_out)
    predictions, step = [], 0
    while step < a.steps:
        for bx, by in train:
            with accelerator.accumulate(model):
                loss = F.mse_loss(model(bx), by)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                step += 1
                if step % 5 == 0:
                    evaluate(accelerator, model, held_out, predictions)
                if step >= a.steps:
                    break
    accelerator.print("predictions:", len(predictions))


if __name__ == "__main__":
    main()
