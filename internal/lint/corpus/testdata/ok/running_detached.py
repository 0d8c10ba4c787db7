# A running sum is detached and begins anew.
import torch


def validation_loss(model, loader):
    model.eval()
    loss, n = 0.0, 0
    with torch.no_grad():
        for batch in loader:
            out = model(**batch)
            loss += out.loss
            n += 1
    model.train()
    return float(loss) / n


def train(model, train_loader, val_loader, optimizer, scheduler, accum=8):
    running = 0.0
    for step, batch in enumerate(train_loader):
        loss = model(**batch).loss / accum
        loss.backward()
        running += loss.detach()
        if (step + 1) % accum == 0:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        if step % 500 == 0:
            print(step, running.item(), validation_loss(model, val_loader))
            running = 0.0
