"""What was alive when memory ran out: by category, the largest tensors and their names, what graphs have saved, and
which modules saved most. Nothing is allocated on a device, nothing of the program's runs."""

import os
import pickle
import time

from _torchleak import frames, guard
from _torchleak.evidence import census, graph, sites, tables, tensors
from _torchleak.evidence import kinds as k
from _torchleak.evidence import locals as names

_FRAMES, _LARGEST, _MODULES, _LINES = 8, 12, 12, 12
_NODES, _DEEPEST = 20000, 32
_SECONDS = 0.25  # of the processor, for what graphs have saved
_LONGEST_HISTORY = 200000  # allocations: a second or two, at the end of a program that has ended for want of memory
_ORDER = ("parameter", "buffer", "gradient", "optimizer state", "activation", "other")


def gather(ctx, stack, document, hooked):
    """Enters what is alive into the document; hooked says that saved tensors may go through hooks, which reading would
    call. Where the time is over, or something fails, the rest is left out."""
    document["pid"], document["step"], document["notes"] = ctx.pid, ctx.step, ctx.notes
    document["frames"] = frames.user_frames(ctx.files, stack, _FRAMES)
    with ctx.stopwatch, k.Paused():
        for part in (lambda: _counters(ctx, document), lambda: _alive(ctx, stack, document, hooked),
                     lambda: _lines(ctx, document)):
            try:
                part()
            except Exception as error:
                guard.hand_on(error)
                ctx.note("a part of what was alive could not be read: %s: %s" % (type(error).__name__, error))
                guard.let_go(error)


def _counters(ctx, document):
    """The allocator's own figures."""
    kind, _, index = document["memory"].partition(":")
    if kind == "host":
        _address_space(document)
    if kind != "cuda" or not ctx.torch.cuda.is_initialized():
        return
    stats = ctx.torch._C._cuda_memoryStats(int(index))
    document["allocated"] = stats["allocated_bytes"]["all"]["current"]
    document["reserved"] = stats["reserved_bytes"]["all"]["current"]


def _address_space(document):
    """The limit that `ulimit -v` sets, and how much of it is in use: reserved, in an allocator's words."""
    try:
        import resource
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            with open("/proc/self/statm", "rb") as file:
                document["limit"], document["reserved"] = limit, int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError) as error:
        guard.hand_on(error)


def _alive(ctx, stack, document, hooked):
    """The tensors that Python knows and what graphs have saved beside them, each storage once."""
    kinds, reader = k.Kinds(ctx.torch), tensors.Reader(ctx.torch)
    taken = census.take(ctx.step, kinds, reader, ctx.optimizers, ctx.budget_ms / 1000)
    try:
        with reader.quiet():
            found = _sum(ctx, kinds, reader, taken, stack, document)
            _behind(ctx, kinds, reader, taken, found, document, hooked or taken.saved_hooks)
    finally:
        taken.release()
    if taken.partial:
        ctx.note("too many tensors for the time there was: the smallest part of them is missing")


def _sum(ctx, kinds, reader, taken, stack, document):
    """Enters categories and the largest tensors; returns the storages that were counted."""
    groups = [(_category(key), key, group) for key, group in taken.groups.items() if key.device == _device(document)]
    groups.sort(key=lambda entry: _ORDER.index(entry[0]))
    seen, categories = {}, {name: [0, 0] for name in _ORDER}
    for category, key, group in groups:
        fresh = {storage: size for storage, size in group.storages.items() if storage not in seen}
        seen.update(fresh)
        categories[category][0] += sum(fresh.values())
        categories[category][1] += len(group.ids)
    document["categories"] = [{"category": name, "bytes": size, "count": count}
                              for name, (size, count) in categories.items() if count]
    document["tensors"] = _largest(groups, _named(ctx, kinds, stack))
    return seen


def _behind(ctx, kinds, reader, taken, seen, document, hooked):
    """Enters what graphs hold beside what was seen, where it may be read."""
    if document["during"] == "backward":
        ctx.note("a backward pass was under way: what graphs still held is not told apart")
    elif hooked:
        ctx.note("saved tensors go through hooks here (checkpointing or offloading): they were not read")
    else:
        _saved(ctx, kinds, reader, taken, seen, document)


def _device(document):
    """What tensors call the memory that ran out."""
    return "cpu" if document["memory"] == "host" else document["memory"]


def _category(key):
    if key.category in _ORDER:
        return key.category
    return "activation" if key.grad_fn else "other"


def _largest(groups, named):
    groups = sorted(groups, key=lambda entry: -entry[2].bytes)[:_LARGEST]
    found = []
    for category, key, group in groups:
        found.append({"category": category, "shape": list(key.shape), "dtype": key.dtype, "grad_fn": key.grad_fn,
                      "bytes": group.bytes, "count": len(group.ids),
                      "names": [named[tensor_id] for tensor_id in group.ids if tensor_id in named][:3]})
    return found


def _named(ctx, kinds, stack):
    """The names that the user's running functions have for tensors, by the tensor's id."""
    named = {}
    for frame, line in stack:
        if not ctx.is_user_file(frame.f_code.co_filename):
            continue
        place = frames.describe(ctx.files, frame, line)
        pairs = names.read(frame)
        if frame.f_code.co_name == "<module>":
            pairs = list(frame.f_globals.items())
        for name, value in pairs:
            if id(type(value)) in kinds.tensors:
                named.setdefault(id(value), dict(place, name=name))
    return named


def _saved(ctx, kinds, reader, taken, seen, document):
    """What graphs have saved and no Python tensor shows, and the modules whose forward saved most."""
    deadline = time.thread_time() + _SECONDS
    walk = graph.Walk(_NODES, ctx.budget_ms / 1000)
    for tensor in taken.tensors:
        if kinds.of(tensor) == k.TENSOR:
            node = reader.grad_fn(tensor)
            if node is not None:
                walk.add(node)
    read, modules = graph.Saved(ctx.torch, kinds, reader), _Modules(kinds, taken)
    own = {storage for key, group in taken.groups.items() if key.category for storage in group.storages}
    held, hidden, unread = {}, 0, 0
    for node in _in_order(walk.nodes.values()):
        if time.thread_time() > deadline:
            unread += 1
            continue
        modules.enter(node)
        for tensor in read.of(node):
            storage, size = reader.storage(tensor)
            if storage in own or storage in held or reader.device(tensor) != _device(document):
                continue
            held[storage] = size
            modules.charge(size)
            if storage not in seen:
                hidden += size
    document["saved"] = {"nodes": len(walk.nodes), "bytes": sum(held.values()), "hidden": hidden}
    document["modules"] = modules.largest()
    if walk.truncated or unread:
        ctx.note("graphs are larger than there was time for: they hold more than was counted")


def _in_order(nodes):
    """As forward made them; where torch does not number them, nearly so."""
    nodes = list(nodes)[::-1]
    if all(graph.sequence_number(node) is not None for node in nodes):
        nodes.sort(key=graph.sequence_number)
    return nodes


class _Modules:
    """Charges what nodes have saved to the module whose parameters were used last before."""

    def __init__(self, kinds, taken):
        self._kinds = kinds
        self._places = {}  # id of a parameter -> (group of modules, id of the one)
        self._bytes = {}
        self._members = {}
        self._now = None
        for root in tables.outermost(taken.modules, kinds):
            self._walk(root, (), root, 0)

    def _walk(self, module, path, unit, depth):
        """unit is the module that would be checkpointed as one: the first in a list, else a child of the root."""
        group = (_pattern(path), k.type_name(type(unit)))
        for _, tensor in tables.tensors(module, "_parameters", self._kinds):
            self._places.setdefault(id(tensor), (group, id(unit)))
        if depth < _DEEPEST:
            inside = any(part.isdigit() for part in path)
            for name, child in tables.children(module, self._kinds):
                whole = not path or not inside and name.isdigit() or not inside and self._is_list(module)
                self._walk(child, path + (name,) if not inside else path, child if whole and not inside else unit, depth + 1)

    def _is_list(self, module):
        return k.type_name(type(module)) in ("ModuleList", "ModuleDict", "Sequential")

    def enter(self, node):
        for inner, _ in node.next_functions:
            for _ in range(2):  # a transposed weight is one node further
                if inner is None or k.type_name(type(inner)) == "AccumulateGrad" or not inner.next_functions:
                    break
                inner = inner.next_functions[0][0] if len(inner.next_functions) == 1 else None
            if inner is not None and k.type_name(type(inner)) == "AccumulateGrad":
                place = self._places.get(id(inner.variable))
                if place is not None:
                    self._now = place
                    return

    def charge(self, size):
        if self._now is not None:
            group, unit = self._now
            self._bytes[group] = self._bytes.get(group, 0) + size
            self._members.setdefault(group, set()).add(unit)

    def largest(self):
        found = [{"module": path, "type": name, "bytes": size, "count": len(self._members[path, name])}
                 for (path, name), size in self._bytes.items()]
        return sorted(found, key=lambda entry: -entry["bytes"])[:_MODULES]


def _pattern(path):
    return ".".join("*" if part.isdigit() else part for part in path)


def _lines(ctx, document):
    """Live blocks by the line that made them, where the allocation history is on."""
    asked = getattr(ctx.torch._C, "_cuda_isHistoryEnabled", None)
    if not document["memory"].startswith("cuda") or asked is None or not asked():
        return
    found = sorted(sites.live(ctx).items(), key=lambda entry: -entry[1][0])[:_LINES]
    document["lines"] = [{"frames": sites.plain(stack), "bytes": size, "count": count} for stack, (size, count) in found if stack]


def history(torch, memory, path):
    """Writes the program's own allocation history as torch.cuda.memory._dump_snapshot does, where it keeps one that is
    not too long: it says which settings would have helped."""
    asked = getattr(torch._C, "_cuda_isHistoryEnabled", None)
    if asked is None or not asked():
        return
    made = torch._C._cuda_memoryStats(int(memory.partition(":")[2]))["allocation"]["all"]["allocated"]
    if made > _LONGEST_HISTORY:
        return
    taken = torch.cuda.memory._snapshot()
    if not any(taken.get("device_traces", ())):
        return
    with open(path + ".part", "wb", opener=_private) as file:
        pickle.dump(taken, file, protocol=4)
    os.replace(path + ".part", path)


def _private(path, flags):
    return os.open(path, flags, 0o600)
