"""What watching costs a training: the same steps plain, under torchleak, with the usual advice, and with torch.profiler.

    python bench/overhead.py [--torchleak bin/torchleak] [--rounds 5] [--steps 60]
    python bench/overhead.py --modes plain,torchleak,again --steps 5000    a long healthy run
    python bench/overhead.py --switch --steps 4000        the always-on part alone, in one process

Every mode is a process of its own, all modes are run in turn, `--rounds` times over, and each figure is the
median over the rounds, so a machine whose speed drifts touches all alike. `again` is plain once more: what it
differs from plain is noise. With CUDA and `transformers` the training is GPT-2 124M (batch 8 x 512, bf16), else
a small transformer on the CPU. A time is that of all steps but the first two with one synchronisation at the
end, divided by their number: whatever torchleak asks of the training in those steps is in it. Processor time of
the training is given beside it: it tells little of a GPU, but other programs on the machine touch it less.

Between two processes the same training differs by several percent, so a few thousandths cannot be seen that way.
`--switch` makes the probe deaf and lets it hear again every BLOCK steps, in one process under torchleak, and compares
blocks that are neighbours: what is left is the always-on part. What a look at the objects costs comes once, beside it:
the account of the report, and how much longer the blocks took in which a look was going on.
"""
import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import time

MODES = ("plain", "torchleak", "advice", "profiler", "again")
WARMUP = 2
BLOCK = 20


def model_and_batch(torch):
    if torch.cuda.is_available():
        from transformers import GPT2Config, GPT2LMHeadModel

        model = GPT2LMHeadModel(GPT2Config()).cuda().to(torch.bfloat16)
        x = torch.randint(0, 50257, (8, 512), device="cuda")
        return "GPT-2 124M, batch 8 x 512, bf16", model, lambda: model(input_ids=x, labels=x).loss
    layer = torch.nn.TransformerEncoderLayer(128, 4, 256, batch_first=True)
    model = torch.nn.Sequential(torch.nn.TransformerEncoder(layer, 2), torch.nn.Linear(128, 128))
    x = torch.randn(8, 64, 128)
    return "transformer, 2 layers of 128, batch 8 x 64, CPU", model, lambda: (model(x) - x).pow(2).mean()


def train(mode, steps):
    """Trains in this process and prints seconds per step."""
    import contextlib

    import torch

    torch.manual_seed(0)
    name, model, loss_of = model_and_batch(torch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    cuda = torch.cuda.is_available()
    sync = torch.cuda.synchronize if cuda else (lambda: None)

    def step():
        loss = loss_of()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if mode == "advice" and cuda:
            torch.cuda.synchronize()
            torch.cuda.memory_allocated()
            torch.cuda.memory_reserved()

    for _ in range(WARMUP):
        step()
    profiler = contextlib.nullcontext()
    if mode == "profiler":
        profiler = torch.profiler.profile(profile_memory=True, with_stack=True, record_shapes=True)
    if mode == "switch":
        return print(json.dumps({"blocks": switched(step, sync, steps // BLOCK), "training": name, "torch": str(torch.__version__)}))
    with profiler:
        sync()
        started, cpu = time.perf_counter(), time.process_time()
        for _ in range(steps):
            step()
        sync()
        seconds, cpu = (time.perf_counter() - started) / steps, (time.process_time() - cpu) / steps
    device = torch.cuda.get_device_name() if cuda else "CPU"
    print(json.dumps({"seconds": seconds, "cpu": cpu, "training": name, "torch": str(torch.__version__), "device": device}))


def switched(step, sync, blocks):
    """[[whether the probe hears, whether a look went on, wall seconds, processor seconds] of each block]."""
    probe = next(o for o in gc.get_objects() if type(o).__module__ == "_torchleak.probe" and type(o).__name__ == "Probe")
    measured = []
    for block in range(blocks):
        # On, off, off, on: what drifts touches both alike.
        hears = block % 4 in (0, 3)
        looking = probe._control is not None and probe._control._job is not None
        probe._off = not hears and not looking
        looks = probe._control._evidence_ns if probe._control else 0
        sync()
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(BLOCK):
            step()
        sync()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        looking = looking or probe._control is None or probe._control._job is not None or probe._control._evidence_ns != looks
        measured.append([hears, looking, wall, cpu])
    probe._off = False
    return measured


def compare(options):
    """Prints what the probe's hearing costs, from pairs of neighbouring blocks without a look."""
    facts, report = measure("switch", options)
    blocks = facts["blocks"]
    pairs = [(a, b) if a[0] else (b, a) for a, b in zip(blocks[::2], blocks[1::2]) if not a[1] and not b[1]]
    print("%s, torch %s: %d pairs of blocks of %d steps" % (facts["training"], facts["torch"], len(pairs), BLOCK))
    for name, at in (("wall", 2), ("processor", 3)):
        ratios = sorted(100 * (on[at] / off[at] - 1) for on, off in pairs)
        # Bounds of the median by the order of the values (binomial, 95 %).
        reach = int(0.98 * len(ratios) ** 0.5) + 1
        middle = len(ratios) // 2
        usual = statistics.median(b[at] for b in blocks)
        print("%-9s %8.3f ms per step; the probe adds %+.2f %% (%+.2f to %+.2f); looks took %.2f s more than their steps" % (
            name, 1e3 * usual / BLOCK, statistics.median(ratios), ratios[max(0, middle - reach)],
            ratios[min(len(ratios) - 1, middle + reach)], sum(b[at] - usual for b in blocks if b[1])))
    account(report["verdict"], report["cost"])


def account(verdict, cost):
    print("torchleak's own account: %.1f us per step, %d looks at the objects of %.3f s, verdict %s" % (
        cost["microseconds_per_step"], cost["evidences"], cost["evidence_seconds"], verdict))


def measure(mode, options):
    command = [sys.executable, os.path.abspath(__file__), "--train", mode, "--steps", str(options.steps)]
    report = None
    if mode in ("torchleak", "switch"):
        command = [options.torchleak, "run", "--quiet", "--json", "overhead.json", "--dir", "overhead.rec", "--"] + command
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    if mode in ("torchleak", "switch"):
        with open("overhead.json") as f:
            report = json.load(f)
        os.remove("overhead.json")
        subprocess.run(["rm", "-r", "overhead.rec"], check=True)
    return json.loads(out.splitlines()[-1]), report


def against(values, plain):
    """Median, least and greatest difference of what was measured in the same rounds."""
    percents = [100 * (v / p - 1) for v, p in zip(values, plain)]
    return "%+6.2f %% (%+.2f to %+.2f)" % (statistics.median(percents), min(percents), max(percents))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--torchleak", default="bin/torchleak")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--steps", type=int, default=60)
    p.add_argument("--modes", default=",".join(MODES[:4]))
    p.add_argument("--switch", action="store_true")
    p.add_argument("--train", choices=MODES + ("switch",), help=argparse.SUPPRESS)
    options = p.parse_args()
    if options.train:
        return train(options.train, options.steps)
    options.torchleak = os.path.abspath(options.torchleak)
    if options.switch:
        return compare(options)
    modes, times, cpus, facts, costs = options.modes.split(","), {}, {}, None, []
    for _ in range(options.rounds):
        for mode in modes:
            facts, report = measure(mode, options)
            times.setdefault(mode, []).append(facts["seconds"])
            cpus.setdefault(mode, []).append(facts["cpu"])
            if report is not None:
                costs.append((report["verdict"], report["cost"]))
            print("%-10s %8.3f ms per step, processor %8.3f ms" % (mode, 1e3 * facts["seconds"], 1e3 * facts["cpu"]), flush=True)
    print("%s, torch %s, %s; %d rounds of %d steps" % (
        facts["training"], facts["torch"], facts["device"], options.rounds, options.steps))
    print("against plain in the same round:")
    for mode in modes:
        print("%-10s %8.3f ms per step %s   processor %8.3f ms %s" % (
            mode, 1e3 * statistics.median(times[mode]), against(times[mode], times["plain"]),
            1e3 * statistics.median(cpus[mode]), against(cpus[mode], cpus["plain"])))
    for verdict, cost in costs:
        account(verdict, cost)


if __name__ == "__main__":
    main()
