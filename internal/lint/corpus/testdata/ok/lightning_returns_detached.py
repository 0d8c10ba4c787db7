# A training step returns its loss and detached extras; the epoch's end makes a mean of numbers.
import torch
from lightning.pytorch import LightningModule


class Regressor(LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.epoch_losses = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        out = self.net(x)
        loss = torch.nn.functional.mse_loss(out, y)
        self.epoch_losses.append(loss.item())
        return {"loss": loss, "mae": (out - y).abs().mean().detach()}

    def on_train_epoch_end(self):
        self.log("mean", sum(self.epoch_losses) / len(self.epoch_losses))
        self.epoch_losses = []

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
