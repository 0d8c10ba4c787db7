"""Says which processes are the loader workers of a program that was attached to: they were started before, without the probe. They are
watched from outside alone."""

import os

from _torchleak import dataset, guard, hello
from _torchleak import identity as who


def introduce(torch, run_dir, loaders):
    """Writes a hello for each worker of these iterators of torch's data loaders."""
    for loader in loaders:
        try:
            _introduce(torch, run_dir, object.__getattribute__(loader, "__dict__"))
        except Exception as error:  # another release's loader, or no room: they go unwatched
            guard.hand_on(error)


def _introduce(torch, run_dir, loader):
    reads = dataset.describe(loader["_dataset"])
    for worker in loader["_workers"]:
        if not worker.is_alive():
            continue
        identity = who.Identity(run_dir)
        identity.pid, identity.role, identity.dataset = worker.pid, who.WORKER, reads
        said = hello.describe(torch, identity, (), "", ())
        said["ppid"] = os.getpid()
        identity.write_json("hello.json", said)
