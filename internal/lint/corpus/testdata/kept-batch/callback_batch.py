# A Lightning callback stores every training batch to log a few of them later.
import pytorch_lightning as pl


class BatchRecorder(pl.Callback):
    def __init__(self, log_images=8):
        self.log_images = log_images
        self.batches = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.batches.append(batch)  # finding: kept-batch

    def on_fit_end(self, trainer, pl_module):
        for images, _ in self.batches[-self.log_images :]:
            trainer.logger.experiment.add_images("batch", images[:4])
