# A profile of ten steps behind a flag of the command line.
import argparse
import contextlib
import itertools

import torch


def run(step, batches):
    for batch in batches:
        step(batch)


def main(step, loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    if args.profile:
        with torch.profiler.profile(record_shapes=True) as prof:
            run(step, itertools.islice(loader, 10))
        print(prof.key_averages().table(row_limit=20))
    with contextlib.nullcontext():
        run(step, loader)
