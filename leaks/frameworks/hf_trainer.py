"""A small GPT-2 on random tokens under transformers.Trainer; a custom loss keeps what it should only look at."""
import argparse
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class Tokens(torch.utils.data.Dataset):
    def __init__(self, n, length, vocab):
        g = torch.Generator().manual_seed(1)
        self.rows = torch.randint(0, vocab, (n, length), generator=g)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return {"input_ids": self.rows[i], "labels": self.rows[i]}


class ConfidenceTrainer(Trainer):
    """Tracks how sure the model is, for a plot at the end."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.confidences = []

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        confidence = outputs.logits.softmax(-1).amax(-1)
        self.confidences.append(confidence)  # leak
        return (outputs.loss, outputs) if return_outputs else outputs.loss


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=120)
    p.add_argument("--accumulate", type=int, default=1)
    p.add_argument("--bf16", action="store_true")
    a = p.parse_args()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=512, n_positions=64, n_embd=64, n_layer=2, n_head=2))
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(out, max_steps=a.steps, per_device_train_batch_size=4, logging_steps=20, report_to=[],
                                 gradient_accumulation_steps=a.accumulate, bf16=a.bf16, save_strategy="no",
                                 disable_tqdm=True, dataloader_num_workers=0)
        trainer = ConfidenceTrainer(model=model, args=args, train_dataset=Tokens(4096, 32, 512))
        trainer.train()
    print("confidences:", len(trainer.confidences))


if __name__ == "__main__":
    main()
