"""What watching costs a training: the same steps plain, under torchleak, with the usual advice, and with torch.profiler.

    python bench/overhead.py [--torchleak bin/torchleak] [--rounds 5] [--steps 60]

Every mode is a process of its own, all modes are run in turn, `--rounds` times over, and each figure is the
median over the rounds, so a machine whose speed drifts touches all alike. With CUDA and `transformers` the
training is GPT-2 124M (batch 8 x 512, bf16), else a small transformer on the CPU. A time is that of all steps
after warm-up with one synchronisation at the end, divided by their number: nothing else is measured inside.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

MODES = ("plain", "torchleak", "advice", "profiler")
WARMUP = 12


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
    with profiler:
        sync()
        started = time.perf_counter()
        for _ in range(steps):
            step()
        sync()
        seconds = (time.perf_counter() - started) / steps
    device = torch.cuda.get_device_name() if cuda else "CPU"
    print(json.dumps({"seconds": seconds, "training": name, "torch": str(torch.__version__), "device": device}))


def measure(mode, options):
    command = [sys.executable, os.path.abspath(__file__), "--train", mode, "--steps", str(options.steps)]
    report = None
    if mode == "torchleak":
        command = [options.torchleak, "run", "--quiet", "--json", "overhead.json", "--dir", "overhead.rec", "--"] + command
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    if mode == "torchleak":
        with open("overhead.json") as f:
            report = json.load(f)
        os.remove("overhead.json")
        subprocess.run(["rm", "-r", "overhead.rec"], check=True)
    return json.loads(out.splitlines()[-1]), report


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--torchleak", default="bin/torchleak")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--steps", type=int, default=60)
    p.add_argument("--modes", default=",".join(MODES))
    p.add_argument("--train", choices=MODES, help=argparse.SUPPRESS)
    options = p.parse_args()
    if options.train:
        return train(options.train, options.steps)
    options.torchleak = os.path.abspath(options.torchleak)
    modes, times, facts, costs = options.modes.split(","), {}, None, []
    for _ in range(options.rounds):
        for mode in modes:
            facts, report = measure(mode, options)
            times.setdefault(mode, []).append(facts["seconds"])
            if report is not None:
                costs.append(report["cost"]["microseconds_per_step"])
                verdict = report["verdict"]
    print("%s, torch %s, %s; %d rounds of %d steps" % (
        facts["training"], facts["torch"], facts["device"], options.rounds, options.steps))
    plain = times["plain"]
    for mode in modes:
        ratios = [t / b for t, b in zip(times[mode], plain)]
        print("%-10s %8.3f ms per step   %+6.2f %% against plain in the same round (%+.2f to %+.2f)" % (
            mode, 1e3 * statistics.median(times[mode]), 100 * (statistics.median(ratios) - 1),
            100 * (min(ratios) - 1), 100 * (max(ratios) - 1)))
    if costs:
        print("torchleak's own account: %.1f us per step, verdict %s" % (statistics.median(costs), verdict))


if __name__ == "__main__":
    main()
