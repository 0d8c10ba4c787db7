"""Reads snapshots with Python's own unpickler and prints what the tests compare, worked out anew.

oracle.py show FILE          what FILE holds
oracle.py rewrite FILE DIR   FILE again under protocols 2 to 5 and in layouts of old releases
oracle.py same A B           whether two files hold the same, but for settings that are not kept
"""
import gzip
import hashlib
import json
import pickle
import pickletools
import re
import sys

INSTALLED = re.compile(r"(^|/)(site-packages|dist-packages)/|/lib/python3\.\d+/|^<frozen ")


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        return pickle.load(f)


def site(frames):
    for f in frames:
        if f["filename"].endswith(".py") and not INSTALLED.search(f["filename"]):
            return f["filename"], f["line"], f["name"]
    return "", 0, ""


def tables(blocks):
    sites = {}
    for size, frames in blocks:
        s = sites.setdefault(site(frames), [0, 0])
        s[0] += size
        s[1] += 1
    return sorted(([*k, *v] for k, v in sites.items()), key=lambda r: (-r[3], r[:3]))


def walk(trace, stop=None):
    """Live blocks, lowest level that what was freed without being allocated leads to, and peaks, by brute force."""
    live, level, reserved, peak, peak_reserved, peak_at = {}, 0, 0, 0, 0, 0
    for i, e in enumerate(trace[:stop]):
        size = max(512, (e["size"] + 511) // 512 * 512)
        if e["action"] == "alloc":
            live[e["addr"]] = (size, e["frames"])
            level += size
        elif e["action"] == "free_requested":
            level -= live.pop(e["addr"], (size,))[0]
        elif e["action"] in ("segment_alloc", "segment_map"):
            reserved += e["size"]
        elif e["action"] in ("segment_free", "segment_unmap"):
            reserved -= e["size"]
        if level > peak:
            peak, peak_at = level, i + 1
        peak_reserved = max(peak_reserved, reserved)
    return live, level, reserved, peak, peak_reserved, peak_at


def show(path):
    d = load(path)
    trace = d["device_traces"][0]
    digest = hashlib.md5()
    kinds = {}
    for e in trace:
        kinds[e["action"]] = kinds.get(e["action"], 0) + 1
        frames = ";".join(f"{f['filename']}:{f['line']}:{f['name']}" for f in e.get("frames", []))
        digest.update(f"{e['action']} {e.get('addr', e.get('device_free'))} {e['size']} {e['stream']} {e['time_us']} {frames}\n".encode())
    blocks = [b for s in d["segments"] for b in s["blocks"]]
    used = [b for b in blocks if b["state"] == "active_allocated"]
    allocated = sum(b["size"] for b in used)
    _, level, reserved, peak, peak_reserved, peak_at = walk(trace)
    total = sum(s["total_size"] for s in d["segments"])
    last = max([i + 1 for i, e in enumerate(trace) if e["action"] == "alloc"]
               + [sum(e["time_us"] <= d["external_annotations"][-1]["time_us"] for e in trace)])
    before = [v for v in walk(trace, last)[0].values()]
    print(json.dumps({
        "entries": len(trace), "digest": digest.hexdigest(), "kinds": kinds, "blocks": len(blocks), "segments": len(d["segments"]),
        "allocated": allocated, "reserved": total, "peak": peak + allocated - level, "peak_at": peak_at,
        "peak_reserved": peak_reserved + total - reserved, "largest_free": max([b["size"] for b in blocks if b["state"] == "inactive"]),
        "sites": tables((b["size"], b["frames"]) for b in used), "last": last, "last_sites": tables(before)}))


def old(d):
    """The layout of releases up to 2.0: blocks with a history and without an address, entries without a time."""
    for s in d["segments"]:
        for k in ("segment_pool_id", "is_expandable", "frames", "requested_size"):
            s.pop(k, None)
        for b in s["blocks"]:
            b["history"] = [{"addr": b.pop("address"), "real_size": b.pop("requested_size"), "frames": b.pop("frames"), "cpp_frames": ""}]
    for t in d["device_traces"]:
        for e in t:
            for k in ("time_us", "compile_context", "user_metadata"):
                e.pop(k, None)
    return {"segments": d["segments"], "device_traces": d["device_traces"]}


def rewrite(path, folder):
    d = load(path)
    for protocol in (2, 3, 4, 5):
        b = pickle.dumps(d, protocol=protocol)
        open(f"{folder}/protocol{protocol}.pickle", "wb").write(b)
    open(f"{folder}/optimized.pickle", "wb").write(pickletools.optimize(b))
    o = old(d)
    pickle.dump(o, open(f"{folder}/old.pickle", "wb"), protocol=4)
    pickle.dump(o["segments"], open(f"{folder}/list.pickle", "wb"), protocol=4)


def same(a, b):
    a, b = load(a), load(b)
    for d in a, b:
        for k in list(d["allocator_settings"]):
            if k.startswith("pinned") or k in ("release_lock_on_cudamalloc", "graph_capture_record_stream_reuse"):
                del d["allocator_settings"][k]
        for s in d["segments"]:
            for x in s["blocks"]:
                if x["state"] == "inactive":
                    x["requested_size"] = 0  # of the last tenant, or 0
    assert a.keys() == b.keys(), (a.keys(), b.keys())
    for k in a:
        assert a[k] == b[k], k
    print("same")


if __name__ == "__main__":
    {"show": show, "rewrite": rewrite, "same": same}[sys.argv[1]](*sys.argv[2:])
