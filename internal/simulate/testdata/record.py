"""Records the traces of testdata: python record.py OUT, with one CUDA device and torch 2.1 or newer.

Three small programs, each in a process of its own under each setting. What they ask for does not depend on the
setting, so that the statistics of one are what the simulation of another's trace must come to.

    cnn    images of changing size, copied ahead on a second stream, the cache emptied now and then
    gpt    sequences of changing length, two micro batches to a step, an evaluation every ten steps
    graph  a captured step, whose memory lies in a private pool, among eager ones
"""
import concurrent.futures
import gzip
import json
import os
import pickle
import random
import subprocess
import sys

# program, setting, share of the device, is the trace kept
RUNS = [
    ("cnn", "", 0, True),
    ("cnn", "expandable_segments:True", 0, True),
    ("cnn", "max_split_size_mb:64", 0, False),
    ("cnn", "roundup_power2_divisions:4", 0, False),
    ("cnn", "garbage_collection_threshold:0.5", 0.03, True),
    ("gpt", "", 0, False),
    ("gpt", "expandable_segments:True", 0, False),
    ("gpt", "max_split_size_mb:128", 0, False),
    ("gpt", "roundup_power2_divisions:8", 0, False),
    ("gpt", "", 0.02, True),
    ("gpt", "expandable_segments:True", 0.02, False),
    ("graph", "", 0, True),
]


def cnn(torch):
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, 64, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(64, 128, 3, stride=2, padding=1), torch.nn.BatchNorm2d(128),
        torch.nn.ReLU(), torch.nn.Conv2d(128, 256, 3, stride=2, padding=1), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(), torch.nn.Linear(256, 10)).cuda()
    optimizer = torch.optim.AdamW(net.parameters())
    side = torch.cuda.Stream()
    for step in range(50):
        n = random.choice((96, 128, 160, 192, 224))
        with torch.cuda.stream(side):
            batch = torch.randn(random.choice((8, 12, 16)), 3, n, n).cuda(non_blocking=True) * 2
        torch.cuda.current_stream().wait_stream(side)
        batch.record_stream(torch.cuda.current_stream())
        loss = net(batch).logsumexp(1).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 20 == 19:
            del batch, loss
            torch.cuda.empty_cache()


def gpt(torch):
    width, words = 512, 8000
    layer = torch.nn.TransformerEncoderLayer(width, 8, 4 * width, dropout=0.1, batch_first=True)
    net = torch.nn.Sequential(torch.nn.Embedding(words, width), torch.nn.TransformerEncoder(layer, 4), torch.nn.Linear(width, words)).cuda()
    optimizer = torch.optim.Adam(net.parameters())

    def loss(batch, length):
        x = torch.randint(0, words, (batch, length), device="cuda")
        return torch.nn.functional.cross_entropy(net(x).flatten(0, 1), x.flatten())

    for step in range(40):
        for _ in range(2):
            loss(random.choice((4, 8)), random.randrange(64, 900)).backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 10 == 9:
            with torch.no_grad():
                loss(16, random.randrange(64, 900))


def graph(torch):
    net = torch.nn.Sequential(torch.nn.Linear(512, 4096), torch.nn.GELU(), torch.nn.Linear(4096, 512)).cuda()
    x = torch.randn(2048, 512, device="cuda")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            net(x).square().mean().backward()
    torch.cuda.current_stream().wait_stream(side)
    net.zero_grad(set_to_none=True)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        net(x).square().mean().backward()
    kept = []
    for step in range(30):
        captured.replay()
        y = torch.randn(random.randrange(64, 4096), 512, device="cuda")
        with torch.no_grad():
            kept.append(net(y).sum(1))
        kept = kept[-5:]


def run(program, conf, share, path):
    import torch

    random.seed(1)
    torch.manual_seed(1)
    total = torch.cuda.mem_get_info()[1]
    if share:
        torch.cuda.set_per_process_memory_fraction(share)
    if path:
        torch.cuda.memory._record_memory_history(context="alloc", stacks="python", max_entries=1_000_000)
    error = ""
    try:
        globals()[program](torch)
    except torch.OutOfMemoryError as e:
        error = str(e)
    torch.cuda.synchronize()
    if path:
        snapshot = torch.cuda.memory._snapshot()
        strip(snapshot)
        with gzip.open(path, "wb") as out:
            pickle.dump(snapshot, out, protocol=4)
    stats = torch.cuda.memory_stats()
    wanted = ("reserved_bytes.all.peak", "allocated_bytes.all.peak", "num_alloc_retries", "num_ooms", "num_device_alloc", "num_device_free")
    print(json.dumps({"program": program, "conf": conf, "fraction": share, "capacity": total, "trace": os.path.basename(path), "oom": error,
                      "torch": torch.__version__, "stats": {k: stats[k] for k in wanted}}))


def strip(snapshot):
    """Keeps the two innermost frames of stacks: that tells them apart, and the files stay small."""
    short = {}
    for entry in [e for trace in snapshot["device_traces"] for e in trace]:
        frames = entry.get("frames")
        if frames:
            key = tuple((os.path.basename(f["filename"]), f["line"], f["name"]) for f in frames[:2])
            entry["frames"] = short.setdefault(key, [{"filename": a, "line": b, "name": c} for a, b, c in key])
    for segment in snapshot["segments"]:
        segment["frames"] = []
        for block in segment["blocks"]:
            block["frames"] = []


def main(out):
    def record(numbered):
        i, (program, conf, share, kept) = numbered
        path = os.path.join(out, "%s_%d.pickle.gz" % (program, i)) if kept else ""
        done = subprocess.run([sys.executable, os.path.abspath(__file__), program, conf, str(share), path], capture_output=True, text=True,
                              env=dict(os.environ, PYTORCH_CUDA_ALLOC_CONF=conf))
        if done.returncode:
            raise SystemExit(done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(record, enumerate(RUNS)))
    with open(os.path.join(out, "runs.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        run(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
