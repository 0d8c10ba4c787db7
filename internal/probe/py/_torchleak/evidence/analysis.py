"""Joins what grew with who holds it and what hangs on it, while the objects of the last snapshot are at hand."""

from _torchleak.evidence import census, graph, holders, lost, targets
from _torchleak.evidence import kinds as k

MOST_GROUPS = 60
_GRAPH_NODES = 3000
_NEWEST = 3
_ASKED = 6  # groups for which all objects are asked
_GARBAGE_SAMPLES, _GARBAGE_NODES = 30, 300


class Findings:
    """The parts of the evidence file that the analysis and the watch fill."""

    def __init__(self):
        self.groups = []
        self.holders = []
        self.births = []
        self.cycles = []
        self.phases = []
        self.registrations = []
        self.calls = []
        self.unasked = False  # of some tensors that no name leads to it was not asked what refers to them

    def empty(self):
        """Whether nothing grew, nor is held in cycles."""
        return not (self.groups or self.holders or self.cycles)

    def document(self):
        """The parts as they stand in the file."""
        return {"groups": self.groups, "holders": self.holders, "births": self.births, "cycles": self.cycles,
                "phases": self.phases, "registrations": self.registrations, "calls": self.calls}


class Analysis:
    """One comparison. It needs the objects of the last snapshot: drop it with them."""

    def __init__(self, ctx, kinds, reader, paths, last, growth, read_saved):
        self._ctx = ctx
        self._kinds = kinds
        self._reader = reader
        self._paths = paths
        self._last = last
        self._growth = growth
        self._tensors = {id(tensor): tensor for tensor in last.census.tensors}
        self._saved = graph.Saved(ctx.torch, kinds, reader) if read_saved else None
        self._holders = holders.Holders(kinds, reader, paths, last.search, ctx.files)
        self._saved_by = {}
        self._owned_storages = None

    def run(self):
        """Returns the Findings."""
        findings = Findings()
        self._holders.add_grown(self._growth)
        if getattr(self._ctx.torch.autograd, "_profiler_enabled", bool)():
            self._holders.add_profiler()
        groups = self._growth.groups[:MOST_GROUPS]
        seeker = self._seeker()
        unreached = []
        for group in groups:
            missing = self._holders.attach(group, self._tensors)
            if not group.holders and missing and not seeker.own_gradient(group, missing):
                unreached.append((group, [self._last.census.outermost(tensor) for tensor in missing]))
        missing = None  # one reference less: they are counted
        groups += self._slot_groups(groups)
        self._by_storage(groups)
        self._by_nodes()
        entries = [self._entry(number, group) for number, group in enumerate(groups)]
        self._explain(seeker, unreached)
        findings.cycles, findings.unasked = seeker.cycles, seeker.unasked
        for entry, group in zip(entries, groups):
            entry["holders"] = group.holders
        findings.groups = entries
        findings.holders = [holder.entry for holder in self._holders.all]
        self.group_keys = [group.key for group in groups]
        return findings

    def targets(self):
        """What the watch has to look at after each line."""
        return targets.of(self._holders.all, self._last, self._paths, self._kinds, self._reader)

    def _slot_groups(self, groups):
        """A slot whose graph grows is one tensor all the time: it gets a group of its own."""
        keys = {group.key: group for group in groups}
        added = []
        for holder in self._holders.all:
            slots = self._growth.slots.get(holder.path) if holder.entry["kind"] == "slot" else None
            tensor = self._last.search.slots.get(holder.path) if slots else None
            if tensor is None:
                continue
            key = census.key_of(tensor, self._kinds, self._reader, self._last.census.owned)
            group = keys.get(key)
            if group is None:
                group = keys[key] = SlotGroup(key, id(tensor), slots)
                added.append(group)
            if holder.number not in group.holders:
                group.holders.append(holder.number)
        return added

    def _entry(self, number, group):
        key = group.key
        kept = self._holders.kept(group) or group.new
        sample = [self._tensors[i] for i in kept if i in self._tensors][:_NEWEST]
        members = max(1, group.count[-1])
        storages = group.groups[-1].storages if group.groups else {}
        entry = {
            "id": number, "category": key.category, "device": key.device, "shape": list(key.shape), "dtype": key.dtype,
            "type": key.type, "requires_grad": key.requires_grad, "grad_fn": key.grad_fn, "count": group.count,
            "bytes": group.bytes,
            "storage_bytes": sum(storages.values()) // len(storages) if storages else group.bytes[-1],
            "tensor_bytes": group.groups[-1].tensor_bytes // members if group.groups else 0,
            "shared": any(self._reader.shared(tensor) for tensor in sample if self._kinds.of(tensor) == k.TENSOR),
            "graph_nodes": group.nodes, "graph_bytes": [0] * len(group.nodes), "graph_functions": [],
            "graph_truncated": group.truncated, "holders": [],
        }
        if key.grad_fn:
            self._graph(entry, group, sample)
        return entry

    def _by_storage(self, groups):
        """A kept view keeps its base, whose tensor no name leads to: it goes with the view's holder."""
        for group in groups:
            for holder in group.holders[:1]:
                for storage in group.groups[-1].storages if group.groups else ():
                    self._saved_by.setdefault(storage, holder)

    def _by_nodes(self):
        """Kept nodes of a graph keep all that the graph has saved."""
        for holder in self._holders.all if self._saved is not None else ():
            obj = self._last.search.objects.get(holder.path)
            nodes = [item for item in holders.newest(obj, self._kinds, _NEWEST) if k.is_node(item)]
            if not nodes:
                continue
            walk = graph.Walk(_GRAPH_NODES, max(0.002, self._ctx.stopwatch.left() * 0.05))
            for node in nodes:
                walk.add(node)
            found, _ = self._saved.storages(list(walk.nodes.values()), max(0.002, self._ctx.stopwatch.left() * 0.05))
            for storage in found.keys() - self._owned():
                self._saved_by.setdefault(storage, holder.number)

    def _graph(self, entry, group, sample):
        """What the graph behind a group keeps: measured on its newest tensors, then scaled."""
        walk = graph.Walk(_GRAPH_NODES, max(0.002, self._ctx.stopwatch.left() * 0.05))
        for tensor in sample:
            node = self._reader.grad_fn(tensor)
            if node is not None:
                walk.add(node)
        entry["graph_functions"] = walk.functions()
        if self._saved is None or not walk.nodes:
            return
        found, read = self._saved.storages(list(walk.nodes.values()), max(0.002, self._ctx.stopwatch.left() * 0.05))
        for storage in self._owned():
            found.pop(storage, None)
        for holder in group.holders[:1]:
            for storage in found:
                self._saved_by.setdefault(storage, holder)
        each = sum(found.values()) / max(1, read)
        entry["graph_bytes"] = [int(each * nodes) for nodes in group.nodes]

    def _owned(self):
        """Storages of parameters and the like: a graph that saves them keeps nothing more alive."""
        if self._owned_storages is None:
            owned = self._last.census.owned
            self._owned_storages = {
                self._reader.storage(tensor)[0] for tensor in self._last.census.tensors if id(tensor) in owned}
        return self._owned_storages

    def _seeker(self):
        last = self._last
        own = set(map(id, (self._tensors, last.census.leaves, last.census.owners, last.search.slots,
                           last.search.objects)))
        seeker = lost.Lost(self._ctx, self._kinds, self._reader, last.search, self._holders, own)
        seeker.counted([last.census.tensors, last.census.modules, last.census.optimizers, last.census.iterators, self._tensors.values(),
                        last.census.leaves.values(), last.census.owners.values()])
        return seeker

    def _explain(self, seeker, unreached):
        seeker.counted([missing for _, missing in unreached])
        left = [(group, missing) for group, missing in unreached
                if not seeker.explain(group, missing, self._saved_by)]
        if left:
            seeker.ask_referrers(left[:_ASKED], self._last.census.cpu_seconds)
        self._garbage(seeker)

    def _garbage(self, seeker):
        """Garbage cycles that hold tensors now, whether or not their number grew: the collector may have
        run in between."""
        reached, explained = self._last.search.tensors, {group.key for group in self._growth.groups}
        unreached = []
        for key, group in self._last.census.groups.items():
            if key.category not in ("", "parameter") or key in explained:
                continue
            missing = [self._last.census.outermost(self._tensors[tensor_id]) for tensor_id in group.ids if tensor_id not in reached]
            if missing:
                unreached.append(StandingGroup(key, group, self._growth.snapshots, missing))
        unreached.sort(key=lambda group: -group.bytes[-1])
        del unreached[_GARBAGE_SAMPLES:]
        missing = None
        seeker.counted([group.missing for group in unreached])
        left = []
        for group in unreached:
            way = seeker.garbage(group.missing, 0, (), _GARBAGE_NODES)
            if way is not None:
                seeker.note_cycle(way, group.count, len(group.new), group.bytes[-1])
            else:
                left.append((group, group.missing))
        if left and not seeker.cycles and not self._growth.groups:
            # Nothing grew: what is there may be what the collector has not come to yet.
            seeker.ask_referrers(left[:_ASKED], self._last.census.cpu_seconds, only_cycles=True)


class StandingGroup:
    """Tensors alike that no name leads to, at the last census, whether or not they became more."""

    def __init__(self, key, group, snapshots, missing):
        self.key = key
        self.missing = missing
        self.new = list(map(id, missing))
        groups = [taken.census.groups.get(key) for taken in snapshots]
        self.count = [len(taken.ids) if taken else 0 for taken in groups]
        self.bytes = [0, group.bytes * len(missing) // len(group.ids)]
        self.holders = []


class SlotGroup:
    """The one tensor in a grown slot, in the shape of a grown group."""

    def __init__(self, key, tensor_id, slots):
        self.key = key
        self.groups = []
        self.new = [tensor_id]
        self.count = [1] * len(slots)
        self.bytes = [slot.bytes for slot in slots]
        self.nodes = [slot.nodes for slot in slots]
        self.truncated = any(slot.truncated for slot in slots)
        self.holders = []
