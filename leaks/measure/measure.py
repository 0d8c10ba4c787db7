#!/usr/bin/env python3
"""Measures every case of leaks/ without torchleak, so that the expectations rest on something else.

    python3 leaks/measure/measure.py --python PYTHON [--python PYTHON ...] [--write docs/leaks.md] [GLOB ...]

With a GLOB, --write renews the rows of those cases and leaves the others as they are.

Each program runs under series.py, which writes down the live bytes of the process at every step. Growth is
judged here by the plainest rule there is: after a warm-up the run is cut into four windows of whole periods,
and their medians rise in every window (leaking), or do not or only by what a collection frees (others). A case of verdict `cycle`, and its fix, run
with Python's collector off: the growth must then be there, and a collection at the last step must end it.
Exits with 1 when a case does not do what its case.json says.
"""
import argparse
import fnmatch
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LEAKS = os.path.dirname(HERE)
KEPT = 2048  # bytes per step that a leaking case must keep at least, if it does not say how many
FLOOR = 512  # bytes per step that others may keep: a few Python numbers for a report
PAGES = 8192  # … of workers, whose pages are counted


class Series:
    """One interpreter with torch that measures program after program."""

    def __init__(self, python):
        self.scratch = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [python, os.path.join(HERE, "series.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1"),
        )

    def measure(self, program, case):
        out = os.path.join(self.scratch.name, "series.json")
        if os.path.exists(out):
            os.unlink(out)
        job = {"program": program, "out": out, "clock": case.get("clock", "optimizer"),
               "steps": case["steps"], "gc": case["verdict"] != "cycle", "memory": case["memory"]}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        status = self.process.stdout.readline().strip()
        if not os.path.exists(out):
            raise RuntimeError("ended with status %s and no figures" % status)
        with open(out) as f:
            data = json.load(f)
        if "error" in data:
            raise RuntimeError(data["error"])
        return data

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.scratch.cleanup()


def windows(rows, start, period):
    """Medians of four windows of whole periods from step `start` on, and the length of one window."""
    rows = rows[start:]
    length = len(rows) // 4 // period * period
    if length == 0:
        raise RuntimeError("too few steps: %d" % len(rows))
    rows = rows[-4 * length:]
    return [statistics.median(rows[i * length:(i + 1) * length]) for i in range(4)], length


def judge(case, fixed, data):
    """Returns (ok, bytes per step, bytes freed by a collection, steps, milliseconds per step)."""
    rows = data["bytes"]
    start = max(len(rows) // 4, (case["onset"] or 0) + case["period"])
    medians, length = windows(rows, start, case["period"])
    steps = [(b - a) / length for a, b in zip(medians, medians[1:])]
    rate = (medians[3] - medians[0]) / (3 * length)
    grown = rate * (len(rows) - start)
    if fixed or case["verdict"] in ("healthy", "bounded"):
        ok = min(steps) < (PAGES if case["memory"] == "worker" else FLOOR) or data["collected"] > grown / 2 > 0
    else:
        ok = min(steps) > 0 and rate > case.get("kept", KEPT)
        if case["verdict"] == "cycle":
            ok = ok and data["collected"] > grown / 2
        elif case["memory"] == "host":
            ok = ok and data["collected"] < grown / 2
    return ok, rate, data["collected"], len(rows), data["seconds"] * 1000


def programs(globs):
    for name in sorted(os.listdir(LEAKS)):
        path = os.path.join(LEAKS, name, "case.json")
        if not os.path.exists(path) or globs and not any(fnmatch.fnmatch(name, g) for g in globs):
            continue
        with open(path) as f:
            case = json.load(f)
        if case.get("ranks", 1) > 1:
            continue  # what steps are processes that the program starts
        yield name, case, "train.py"
        if os.path.exists(os.path.join(LEAKS, name, "fixed.py")):
            yield name, case, "fixed.py"


def head(torches):
    """The names of the columns."""
    columns = ["case", "program", "expected"]
    for torch in torches:
        columns += ["torch %s: bytes per step" % torch, "a collection frees"]
    return columns


def table(rows, torches):
    """The Markdown page: one line a program, one pair of columns a torch."""
    columns = head(torches)
    lines = ["# The cases of leaks/, measured without torchleak", "",
             "Made by `leaks/measure/measure.py --write docs/leaks.md`; live bytes are those of the C heap, Python's own blocks",
             "(at 64 bytes each) and resident shared memory, of loader workers their pages, over the last three quarters of each run.",
             "A case of several ranks is not measured, as `ok-ddp`: its steps are made by processes that the program starts.", "",
             "| %s |" % " | ".join(columns), "|" + "---|" * len(columns)]
    for (name, program), (expected, cells) in sorted(rows.items(), key=lambda row: (row[0][0], row[0][1] == "fixed.py")):
        lines.append("| %s |" % " | ".join([name, program, expected] + cells))
    return "\n".join(lines) + "\n"


def written(path, torches):
    """The rows that a page has, where it was made with the same releases of torch."""
    with open(path) as f:
        lines = [line.strip("| \n").split(" | ") for line in f if line.startswith("| ")]
    if not lines or lines[0] != head(torches):
        sys.exit("%s was made with other releases of torch: measure all cases" % path)
    return {(cells[0], cells[1]): (cells[2], cells[3:]) for cells in lines[1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", required=True)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("globs", nargs="*", metavar="GLOB")
    args = parser.parse_args()
    rows, torches, failed = {}, [], 0
    pythons = [Series(python) for python in args.python]
    for name, case, program in programs(args.globs):
        expected = "healthy" if program == "fixed.py" else case["verdict"]
        cells = []
        for python in pythons:
            try:
                data = python.measure(os.path.join(LEAKS, name, program), case)
                ok, rate, collected, steps, ms = judge(case, program == "fixed.py", data)
            except RuntimeError as error:
                failed += 1
                print("%-28s %-9s FAILED %s" % (name, program, error), flush=True)
                cells += ["failed", ""]
                continue
            if data["torch"] not in torches:
                torches.append(data["torch"])
            failed += not ok
            print("%-28s %-9s %-8s torch %-9s %9.0f B/step  collected %9d  %4d steps %5.1f ms %s" % (
                name, program, expected, data["torch"], rate, collected, steps, ms, "ok" if ok else "UNEXPECTED"), flush=True)
            cells += ["{:,.0f}".format(rate) + ("" if ok else " (unexpected)"), "{:,d}".format(collected)]
        rows[name, program] = expected, cells
    for python in pythons:
        python.close()
    if args.write and args.globs:
        rows = {**written(args.write, torches), **rows}
    if args.write:
        with open(args.write, "w") as f:
            f.write(table(rows, torches))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
