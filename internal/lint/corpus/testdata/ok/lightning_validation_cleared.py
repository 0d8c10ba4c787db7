# What a validation gathers is cleared at its end.
import torch
import lightning as L
import torch.nn.functional as F


class Lit(L.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.outs = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        z = self.net(x)
        loss = F.cross_entropy(z, y)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.outs.append(self.net(x).argmax(-1) == y)

    def on_validation_epoch_end(self):
        self.log("acc", torch.cat(self.outs).float().mean())
        self.outs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
