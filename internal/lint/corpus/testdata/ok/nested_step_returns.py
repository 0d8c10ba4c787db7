# The step returns a dictionary with the loss; the caller backwards it and logs numbers.
from typing import Dict, List

import torch
from torch import Tensor


def forward_step(model, batch) -> Dict[str, Tensor]:
    out = model(batch["x"])
    loss = torch.nn.functional.mse_loss(out, batch["y"])
    return {"loss": loss, "pred": out}


def train(model, loader, optimizer) -> List[Dict[str, float]]:
    logs: List[Dict[str, float]] = []
    for batch in loader:
        result = forward_step(model, batch)
        optimizer.zero_grad()
        result["loss"].backward()
        optimizer.step()
        logs.append({"loss": result["loss"].item(), "norm": result["pred"].detach().norm().item()})
    return logs
