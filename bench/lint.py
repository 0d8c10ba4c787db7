"""How long linting takes: torchleak lint over transformers and over torch, and torch-preflight beside it over a part of torch.

    python -m venv preflight && preflight/bin/pip install 'torch-preflight==0.5.*'
    python bench/lint.py --python PYTHON [--torchleak bin/torchleak] [--preflight preflight/bin/torch-preflight] [--part nn]
                         [--rounds 5] [--write docs/benchmarks.md]

PYTHON is an interpreter that has torch and transformers; their sources are found without importing them, and copied, since
linters leave out what stands in site-packages. torchleak goes over each tree `--rounds` times, and a figure is the median;
torch-preflight goes once over the folder `--part` of torch, for ten minutes of processor time and half an hour on the clock
at most, and is compared with torchleak on that same folder, by processor time, which other work on the machine changes
little. Processor time and peak memory are those of the program and its children. `--write` puts the figures between this
command's marks in the document.
"""
import argparse
import datetime
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

FIND = "import importlib.util, os; print(os.path.dirname(importlib.util.find_spec(%r).origin))"
PROCESSOR, CLOCK = 600, 1800  # seconds for torch-preflight
BEGIN, END = "<!-- made by bench/lint.py -->", "<!-- end of bench/lint.py -->"


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
    """How many Python files are below tree, and their size in MiB."""
    files = [os.path.join(d, f) for d, _, names in os.walk(tree) for f in names if f.endswith(".py")]
    return len(files), sum(os.path.getsize(f) for f in files) / 2**20


def measure(argv, limited=False):
    """Seconds on the clock, seconds of processor time, peak MiB of one run, and whether it came to its end within the limits."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:  # a process of its own, so that its children's peak is that of this run alone
        os.close(read)
        start = time.monotonic()
        limits = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR + 5))) if limited else None
        run = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limits)
        try:
            status = run.wait(CLOCK if limited else None)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            status = run.wait()
        wall = time.monotonic() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(write, f"{status} {wall} {used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        status, wall, processor, peak = map(float, answer.read().split())
    os.waitpid(child, 0)
    stopped = limited and status in (-signal.SIGXCPU, -signal.SIGKILL)
    if status not in (0, 1) and not stopped:
        sys.exit(f"{' '.join(argv)} ended with status {status:.0f}")
    return wall, processor, peak, not stopped


def medians(argv, rounds):
    return [statistics.median(column) for column in zip(*(measure(argv)[:3] for _ in range(rounds)))]


def row(program, tree, name, wall, processor, peak):
    count, size = sources(tree)
    return f"| {program} | {name} | {count:,} | {size:.1f} | {wall:.2f} | {processor:.2f} | {peak:.0f} |"


def reached(yes):
    return "reached" if yes else "not reached"


def compare(args, into):
    """The lines of the report."""
    trees = {}
    for package in ("transformers", "torch"):
        tree = folder(args.python, package)
        if tree is None:
            sys.exit(f"{package} is not installed in {args.python}; name a Python that has it, with --python")
        trees[package] = copied(tree, into)
    if args.preflight:
        trees["torch/" + args.part] = os.path.join(trees["torch"], args.part)
        if not sources(trees["torch/" + args.part])[0]:
            sys.exit(f"torch has no Python files in {args.part}; name a folder of torch, with --part")
    rows, wanted, ours, busy = [], [], {}, os.getloadavg()[0] > 1
    for name, tree in trees.items():
        ours[name] = medians([args.torchleak, "lint", "--isolated", "--quiet", tree], args.rounds)
        rows.append(row("torchleak lint", tree, name, *ours[name]))
        print(rows[-1], flush=True)
    wall, processor, peak = ours["transformers"]
    in_time = f"the machine is busy; half the processor time is {processor / 2:.1f} s" if busy else reached(wall <= 3)
    wanted.append(f"Wanted for transformers, on two cores: 3 s ({in_time}) and 500 MB ({reached(peak * 2**20 <= 500e6)}).")
    if args.preflight:
        name = "torch/" + args.part
        *theirs, ended = measure([args.preflight, "check", trees[name]], limited=True)
        rows.append(row("torch-preflight" if ended else "torch-preflight, stopped", trees[name], name, *theirs))
        print(rows[-1], flush=True)
        ratio = theirs[1] / ours[name][1]
        wanted.append(f"torch-preflight {'takes' if ended else 'was stopped after'} {ratio:.0f} times the processor time on {name}, in one run; wanted: 20 times ({reached(ratio >= 20)}).")
    return ["| | tree | files | MiB | seconds | processor seconds | peak MiB |", "|---|---|---|---|---|---|---|", *rows, "", " ".join(wanted)]


def build():
    """What was measured where: cores, date, commit."""
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores, load {load:.1f} before, {datetime.date.today()}" + (f", at {head}" if head else "")


def put(document, text):
    """Puts text between the marks in document."""
    with open(document, encoding="utf-8") as f:
        before = f.read()
    after, n = re.subn(f"(?s){re.escape(BEGIN)}.*{re.escape(END)}", lambda _: f"{BEGIN}\n{text}\n{END}", before)
    if n != 1:
        sys.exit(f"{document} has no {BEGIN} followed by {END}; put both where the figures belong")
    with open(document, "w", encoding="utf-8") as f:
        f.write(after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--torchleak", default="bin/torchleak")
    parser.add_argument("--preflight", help="torch-preflight's command; left out, it is not compared")
    parser.add_argument("--part", default="nn", help="the folder of torch that torch-preflight is compared on")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", metavar="DOCUMENT", help="where to put the figures too, such as docs/benchmarks.md")
    args = parser.parse_args()
    where = build()
    with tempfile.TemporaryDirectory() as into:
        lines = compare(args, into)
    text = "\n".join([f"Speed, `python bench/lint.py --python PYTHON --preflight COMMAND`, {where}, median of {args.rounds}:", "", *lines])
    print(text)
    if args.write:
        put(args.write, text)


if __name__ == "__main__":
    main()
