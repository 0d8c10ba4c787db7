# Lightning turns gradients off for validation_step; the list is cleared at the end of the epoch.
import torch
import torch.nn.functional as F
import pytorch_lightning as pl


class Lit(pl.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.validation_step_outputs = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self.net(x)
        self.validation_step_outputs.append((logits, y))
        return F.cross_entropy(logits, y)

    def on_validation_epoch_end(self):
        logits, labels = zip(*self.validation_step_outputs)
        acc = (torch.cat(logits).argmax(1) == torch.cat(labels)).float().mean()
        self.log("val_acc", acc)
        self.validation_step_outputs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
