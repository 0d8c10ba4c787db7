"""How long linting takes: torchleak lint over transformers and over torch, and torch-preflight over torch beside it.

    python -m venv preflight && preflight/bin/pip install 'torch-preflight==0.5.*'
    python bench/lint.py --python PYTHON [--torchleak bin/torchleak] [--preflight preflight/bin/torch-preflight] [--rounds 5]

PYTHON is an interpreter that has torch and transformers; their sources are found without importing them, and copied, since
linters leave out what stands in site-packages. All programs are run in turn, `--rounds` times over, and each figure is the median over the rounds. Processor time and peak memory
are those of the program and its children.
"""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FIND = "import importlib.util, os; print(os.path.dirname(importlib.util.find_spec(%r).origin))"


def folder(python, package):
    """The folder of an installed package, None where it is not installed."""
    found = subprocess.run([python, "-c", FIND % package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return found.stdout.strip() if found.returncode == 0 else None


def copied(tree, into):
    """A copy of the Python files below tree."""
    copy = os.path.join(into, os.path.basename(tree))
    shutil.copytree(tree, copy, ignore=lambda d, names: [n for n in names if os.path.isfile(os.path.join(d, n)) and not n.endswith(".py")])
    return copy


def sources(tree):
    files = [os.path.join(d, f) for d, _, names in os.walk(tree) for f in names if f.endswith(".py")]
    return len(files), sum(os.path.getsize(f) for f in files)


def measure(argv):
    """Seconds on the clock, seconds of processor time, and peak MiB of one run."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # a process of its own, so that its children's peak is that of this run alone
        start = time.monotonic()
        status = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        wall = time.monotonic() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, f"{status} {wall} {used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        status, wall, processor, peak = map(float, answer.read().split())
    os.waitpid(child, 0)
    if status not in (0, 1):
        sys.exit(f"{' '.join(argv)} ended with status {status:.0f}")
    return wall, processor, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--torchleak", default="bin/torchleak")
    parser.add_argument("--preflight", help="torch-preflight's command; left out, it is not compared")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as into:
        compare(args, into)


def compare(args, into):
    runs = []
    for package in ("transformers", "torch"):
        tree = folder(args.python, package)
        if tree is None:
            print(f"{package} is not installed in {args.python}")
            continue
        tree = copied(tree, into)
        count, size = sources(tree)
        print(f"{package}: {count:,} files, {size / 2**20:.1f} MiB")
        runs.append((f"torchleak lint {package}", [args.torchleak, "lint", "--isolated", "--quiet", tree]))
        if args.preflight and package == "torch":
            runs.append((f"torch-preflight {package}", [args.preflight, "check", tree]))
    figures = {name: [] for name, _ in runs}
    for _ in range(args.rounds):
        for name, argv in runs:
            figures[name].append(measure(argv))
    print("\n| | seconds | processor seconds | peak MiB |\n|---|---|---|---|")
    medians = {}
    for name, _ in runs:
        wall, processor, peak = (statistics.median(column) for column in zip(*figures[name]))
        medians[name] = wall
        print(f"| {name} | {wall:.2f} | {processor:.2f} | {peak:.0f} |")
    if "torch-preflight torch" in medians:
        print(f"\ntorch-preflight takes {medians['torch-preflight torch'] / medians['torchleak lint torch']:.1f} times as long")


if __name__ == "__main__":
    main()
