"""Trains on several processes with DistributedDataParallel. Comments say what keeps its memory flat."""
import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import data
import memwatch
from model import CharModel, loss_of


@torch.no_grad()  # else the graph of every batch is built, and lives as long as its loss
def validate(model, text, args, device):
    """Return the mean loss over the held-out text of all processes."""
    model.eval()
    total = torch.zeros(2, device=device)  # sum and count: one reduction, in the group that is there
    for batch, (inputs, follows) in enumerate(data.windows(text, args.batch, args.length, device)):
        if batch == args.validate_batches:
            break
        total += torch.stack([loss_of(model, inputs, follows), total.new_ones(())])
    model.train()
    dist.all_reduce(total)
    return (total[0] / total[1].clamp(min=1)).item()


def save(model, step, path):
    """Write a checkpoint whole, from one process."""
    torch.save({"model": model.module.state_dict(), "step": step}, path + ".new")
    os.replace(path + ".new", path)


def train(args, rank, device):
    torch.manual_seed(0)  # the same weights everywhere
    generator = torch.Generator().manual_seed(rank)  # and other batches
    train_text, valid_text = data.load()
    model = CharModel().to(device)
    model = DistributedDataParallel(model, device_ids=[device.index] if device.type == "cuda" else None)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    sentinel = memwatch.Sentinel()
    for step in range(1, args.steps + 1):
        inputs, follows = data.batch(train_text, args.batch, args.length, generator, device)
        loss = loss_of(model, inputs, follows)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % args.validate_every == 0:
            valid = validate(model, valid_text, args, device)  # by all: the reduction waits for everybody
            if rank == 0:
                print("step %d  train %.3f  valid %.3f" % (step, loss.item(), valid), flush=True)
        if rank == 0 and (step % args.save_every == 0 or step == args.steps):
            save(model, step, args.checkpoint)
        sentinel.step()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=32)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--validate-every", type=int, default=20)
    parser.add_argument("--validate-batches", type=int, default=4)
    parser.add_argument("--save-every", type=int, default=500)
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    args = parser.parse_args()

    # One group, made once: a group that is made in every step takes hundreds of MiB of the device each time.
    local = int(os.environ.get("LOCAL_RANK", "0"))
    if torch.cuda.is_available():
        device = torch.device("cuda", local)
        torch.cuda.set_device(device)
        dist.init_process_group("nccl")
    else:
        device = torch.device("cpu")
        dist.init_process_group("gloo")
    try:
        train(args, dist.get_rank(), device)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
