# The allocator's history is recorded from the start, without a bound and without an end.
import torch


def main(model, loader, loss_fn):
    torch.cuda.memory._record_memory_history()  # finding: debug-tool-left-on
    optimizer = torch.optim.AdamW(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
    torch.cuda.memory._dump_snapshot("snapshot.pickle")
