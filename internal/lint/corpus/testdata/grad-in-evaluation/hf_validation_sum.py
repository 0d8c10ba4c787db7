# The losses of a validation are summed with gradients on.
import torch


def evaluate(model, loader, metric_fn):
    model.eval()
    total = 0
    for batch in loader:
        out = model(batch["input_ids"], attention_mask=batch["attention_mask"])
        total += metric_fn(out.logits, batch["labels"])
    return total / len(loader)


def validation_loss(model, loader):
    model.eval()
    loss = 0
    for batch in loader:
        out = model(**batch)  # finding: grad-in-evaluation
        loss += out.loss
    model.train()
    return float(loss) / len(loader)


def train(model, train_loader, val_loader, optimizer, scheduler):
    for step, batch in enumerate(train_loader):
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if step % 500 == 0:
            print(step, validation_loss(model, val_loader))
