"""Writes what a process leaves whose device memory is told by the allocator's history, into the folder named."""

import json
import pickle
import sys

folder = sys.argv[1]
MARK = "<torchleak profile>"


def frames(op):
    """The stack of an allocation: by an operator, or outside of all."""
    marked = [{"filename": MARK, "line": op + 1, "name": "call"}] if op is not None else []
    return marked + [{"filename": "/u/train.py", "line": 7, "name": "train"}]


trace = []


def entry(action, address, size, op=None):
    trace.append({"action": action, "addr": address, "size": size, "stream": 0, "time_us": len(trace), "frames": frames(op)})


def free(address, size):
    entry("free_requested", address, size)
    entry("free_completed", address, size)


entry("alloc", 0x10000, 2048, 0)    # what addmm returns
entry("alloc", 0x20000, 1000, 0)    # what it takes for itself
free(0x20000, 1000)
entry("alloc", 0x30000, 2048, 1)    # what relu returns
free(0x10000, 2048)
entry("alloc", 0x40000, 4, 2)       # what backward begins with
free(0x3000, 1024)                  # older than the trace
entry("alloc", 0x10000, 4096, 3)    # a gradient, where addmm's result was
entry("alloc", 0x50000, 3000)       # outside of operators


def block(address, size):
    return {"address": address, "size": size, "requested_size": size, "state": "active_allocated", "frames": []}


live = [block(0x1000, 4096), block(0x10000, 4096), block(0x30000, 2048), block(0x40000, 512), block(0x50000, 3072)]
segment = {"device": 0, "address": 0x1000, "total_size": 0x60000, "stream": 0, "segment_type": "small", "blocks": live}
with open(folder + "/7-1.profile.pickle", "wb") as file:
    pickle.dump({"segments": [segment], "device_traces": [trace]}, file, protocol=4)

profile = {
    "profile": 1, "pid": 7, "complete": True, "first_step": 4, "step_ends": [4], "notes": [],
    "operators": ["aten::addmm", "aten::relu", "aten::ones_like", "aten::mm"],
    "modules": ["Net"], "phases": ["rest", "forward", "backward"],
    "frames": [["/u/net.py", 3, "forward", 1], ["/u/train.py", 7, "train", 1]], "stacks": [[0, 1], [1]],
    "memories": [{"name": "cuda:0", "snapshot": "7-1.profile.pickle"}],
    "ops": {"operator": [0, 1, 2, 3], "stack": [0, 0, 1, -1], "module": [0, 0, -1, -1], "phase": [1, 1, 2, 2],
            "tracked": [1, 1, 0, 0], "tie": [-1, -1, -1, 0], "begin_ns": [0, 10, 20, 30], "end_ns": [5, 15, 25, 35]},
    "storages": {"memory": [0] * 5, "bytes": [4096, 2048, 2048, 4, 4096], "born": [-1, 0, 1, 2, 3], "seen": [0, 1, 2, 3, 4],
                 "address": [0x1000, 0x10000, 0x30000, 0x40000, 0x10000], "used": [1, 0, 2, 0, 0], "last": [3, 1, 3, -1, -1]},
    "events": {"op": [], "storage": [], "bytes": []},
    "owned": [[0, "parameter", "Net.weight"], [4, "gradient", "Net.weight"]],
}
for key, value in json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}").items():
    profile[key] = value
with open(folder + "/7-1.profile.json", "w") as file:
    json.dump(profile, file)
with open(folder + "/7-1.hello.json", "w") as file:
    json.dump({"hello": 1, "pid": 7, "torch": "2.11.0"}, file)
