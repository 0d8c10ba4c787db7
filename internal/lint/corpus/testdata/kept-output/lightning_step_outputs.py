# Outputs of training steps are collected for an epoch end hook that forgets to clear them.
import torch
import torch.nn.functional as F
from lightning.pytorch import LightningModule


class Segmenter(LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.training_step_outputs = []

    def training_step(self, batch, batch_idx):
        image, mask = batch
        logits = self.net(image)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        self.training_step_outputs.append({"logits": logits, "loss": loss})  # finding: kept-output|kept-loss
        return loss

    def on_train_epoch_end(self):
        mean = torch.stack([o["loss"] for o in self.training_step_outputs]).mean()
        self.log("train/epoch_loss", mean)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-4)
