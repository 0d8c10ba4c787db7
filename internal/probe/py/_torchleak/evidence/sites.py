"""Live device memory by allocation site, from the device allocator's own history. It also sees what
only C++ holds. Kept on between the first census and the last only, and only if the user has it off."""

from _torchleak.evidence import growth

_FRAMES = 12
_MOST = 40


class Sites:
    """The allocation sites of one device over the windows of a request."""

    def __init__(self, ctx):
        self._ctx = ctx
        self._on = False
        self._readings = []
        self._due = []   # steps at which to read

    def begin(self, step, span):
        """Switches the history on, where this torch has a cheap one and nobody else uses it, to be
        read at the ends of two windows."""
        torch = self._ctx.torch
        if not self._ctx.memory.startswith("cuda") or not torch.cuda.is_initialized():
            return
        asked = getattr(torch._C, "_cuda_isHistoryEnabled", None)
        if asked is None:
            self._ctx.note("this torch cannot tell allocation sites cheaply")
            return
        if asked():
            self._ctx.note("allocation history is in use by the program itself: sites were not read")
            return
        torch.cuda.memory._record_memory_history(enabled="state", context="alloc", stacks="python")
        self._on = True
        self._due = [step + span, step + 2 * span]

    def due(self, step):
        """Whether a reading is to be taken at this step."""
        return self._on and bool(self._due) and step >= self._due[0]

    def read(self):
        """Adds one reading of the live bytes by site."""
        del self._due[0]
        self._readings.append(live(self._ctx))

    def end(self):
        """Switches the history off again."""
        if self._on:
            self._on = False
            self._ctx.torch.cuda.memory._record_memory_history(enabled=None)

    def grown(self):
        """The sites whose live bytes grew from reading to reading, the largest growth first."""
        if len(self._readings) < 2:
            return []
        found = []
        for frames, (size, count) in self._readings[-1].items():
            before = [reading.get(frames, [0, 0]) for reading in self._readings[:-1]]
            sizes = [entry[0] for entry in before] + [size]
            if frames and growth.grew(sizes):
                found.append({
                    "device": self._ctx.memory,
                    "frames": plain(frames),
                    "bytes": sizes, "count": [entry[1] for entry in before] + [count],
                })
        found.sort(key=lambda site: site["bytes"][0] - site["bytes"][-1])
        return found[:_MOST]


def live(ctx):
    """{the user's frames: [bytes, blocks]} of the blocks of ctx.memory whose allocation the history knows."""
    index = int(ctx.memory.partition(":")[2] or 0)
    totals = {}
    for segment in ctx.torch.cuda.memory._snapshot()["segments"]:
        if segment["device"] != index:
            continue
        for block in segment["blocks"]:
            frames = block.get("frames")
            if not frames or block["state"] != "active_allocated":
                continue
            total = totals.setdefault(tuple((f["filename"], f["line"], f["name"]) for f in frames[:64]), [0, 0])
            total[0] += block["size"]
            total[1] += 1
    merged = {}
    for frames, (size, count) in totals.items():
        total = merged.setdefault(_user(ctx, frames), [0, 0])
        total[0] += size
        total[1] += count
    return merged


def plain(frames):
    """Such frames as they stand in a file."""
    return [{"file": file, "line": line, "function": name} for file, line, name in frames]


def _user(ctx, frames):
    own = [f for f in frames if ctx.is_user_file(f[0])] or [f for f in frames if ctx.is_package_file(f[0])]
    return tuple((ctx.files.absolute(f[0]), f[1], f[2]) for f in own[:_FRAMES])
