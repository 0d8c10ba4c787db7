"""A classifier under Lightning, written as for Lightning 1.x: the step's outputs are collected for the epoch's end."""
import argparse

import lightning
import torch
from torch import nn
from torch.nn import functional as F


class Classifier(lightning.LightningModule):
    def __init__(self, width=256):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(784, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 10))
        self.step_outputs = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        logits = self.net(x)
        loss = F.cross_entropy(logits, y)
        self.step_outputs.append({"loss": loss, "logits": logits, "target": y})  # leak
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=120)
    a = p.parse_args()
    lightning.seed_everything(0)
    g = torch.Generator().manual_seed(1)
    data = torch.utils.data.TensorDataset(torch.randn(4096, 1, 28, 28, generator=g), torch.randint(0, 10, (4096,), generator=g))
    loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
    trainer = lightning.Trainer(max_steps=a.steps, max_epochs=-1, logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, enable_model_summary=False, accelerator="auto", devices=1)
    trainer.fit(Classifier(), loader)


if __name__ == "__main__":
    main()
