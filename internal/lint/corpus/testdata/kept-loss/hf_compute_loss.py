# A Trainer subclass remembers the parts of its loss for a report.
from torch import nn
from transformers import Trainer


class DistillTrainer(Trainer):
    def __init__(self, *args, teacher=None, alpha=0.5, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = teacher
        self.alpha = alpha
        self.kd_losses = []

    def compute_loss(self, model, inputs, return_outputs=False):
        outputs = model(**inputs)
        task_loss = outputs.loss
        kd = nn.functional.kl_div(
            outputs.logits.log_softmax(-1),
            self.teacher(inputs["input_ids"]).softmax(-1),
            reduction="batchmean",
        )
        self.kd_losses.append(kd)  # finding: kept-loss
        loss = (1 - self.alpha) * task_loss + self.alpha * kd
        return (loss, outputs) if return_outputs else loss
