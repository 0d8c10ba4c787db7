import torch
from torch import nn

import experiment

config = {"batch": 64, "steps": 120, "lr": 1e-3, "vocab": 200, "dim": 64}
torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class BagOfWords(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 512), nn.GELU(), nn.Dropout(0.1), nn.Linear(512, classes))

    def forward(self, tokens):
        return self.mlp(self.embed(tokens))


def main():
    run = experiment.init("sentiment", config)
    model = BagOfWords(config["vocab"], config["dim"], 4).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, config["steps"])
    for step in range(config["steps"]):
        tokens = torch.randint(0, config["vocab"], (config["batch"], 40), device=device)
        target = (tokens < 50).sum(1).clamp(max=15) // 4
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits, target)
        acc = (logits.argmax(1) == target).float().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 10 == 0:
            run.log({"loss": loss.item(), "lr": scheduler.get_last_lr()[0], "acc": acc.item()})
    run.finish()


main()
