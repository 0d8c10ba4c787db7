# A training step registers a backward hook to see the gradient of a layer.
import pytorch_lightning as pl
import torch


class Net(pl.LightningModule):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def training_step(self, batch, batch_idx):
        def show(module, grad_input, grad_output):
            self.log("grad", grad_output[0].norm())

        self.decoder.register_full_backward_hook(show)  # finding: hook-per-step
        z = self.encoder(batch)
        return torch.nn.functional.mse_loss(self.decoder(z), batch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
