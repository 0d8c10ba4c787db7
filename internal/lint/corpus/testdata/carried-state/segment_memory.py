# Transformer-XL style memories handed to the next segment without detach.
import torch


def train_segments(model, data, optimizer, scheduler, clip=0.25):
    model.train()
    mems = tuple()
    log_loss = 0.0
    for batch, (segment, target, seq_len) in enumerate(data):
        ret = model(segment, target, *mems)  # also: carried-state
        loss, mems = ret[0].float().mean(), ret[1:]  # finding: carried-state
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # also: retained-graph
        log_loss += loss.item()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        scheduler.step()
    return log_loss / (batch + 1)
