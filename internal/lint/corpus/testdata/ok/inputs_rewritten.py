# A trainer rewrites an entry of the batch that it was handed.
import torch
from transformers import Trainer


class AdvantageTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        logits = model(inputs["input_ids"]).logits
        logps = logits.log_softmax(-1).gather(-1, inputs["labels"][..., None]).squeeze(-1)
        with torch.no_grad():
            reverse = logps - inputs["teacher_logps"]
        inputs["advantages"] = inputs["advantages"].unsqueeze(1) + reverse
        inputs["logps"] = logps
        loss = -(inputs["advantages"] * inputs["logps"]).mean()
        return (loss, logits) if return_outputs else loss
