"""Looks after tensors that the search from the user's names does not reach: saved in a graph, in a
garbage cycle, held by something the search could not enter, or by nothing of Python's."""

import gc

from _torchleak.evidence import cycles
from _torchleak.evidence import kinds as k
from _torchleak.evidence.search import OWN

_LEVELS = 3
_SAMPLES = 6


class Lost:
    """The groups with unreached tensors of one stop."""

    def __init__(self, ctx, kinds, reader, search, holders, own, lists):
        self._ctx = ctx
        self._kinds = kinds
        self._reader = reader
        self._search = search
        self._holders = holders
        self._own = own       # ids of our own containers that refer to tensors
        self._lists = lists   # those with one reference to each of their members
        self._held = None
        self._only_cycles = False
        self._paths_by_id = None
        self.cycles = []

    def explain(self, group, tensors, saved):
        """Finds a holder for a group none of whose new tensors is reached. `saved` maps storages to
        the holder in whose graph they are kept. Returns whether it found one."""
        for tensor in tensors[:_SAMPLES]:
            holder = saved.get(self._reader.storage(tensor)[0])
            if holder is not None:
                group.holders.append(holder)
                return True
        return any(self._in_cycle(group, tensors, index) for index in range(len(tensors[:_SAMPLES])))

    def own_gradient(self, group, tensors):
        """Whether the group is of leaves, or of their gradients, that backward(create_graph=True) ties together."""
        return any(self._own_gradient(group, tensor) for tensor in tensors[:_SAMPLES])

    def _own_gradient(self, group, tensor):
        """The gradient's graph leads back to the tensor, in C++ alone."""
        gradient = self._reader.grad(tensor) if self._kinds.of(tensor) == k.TENSOR else None
        if gradient is None and group.key[0] != "gradient":
            return False
        node = self._reader.grad_fn(gradient if gradient is not None else tensor)
        if node is None:
            return False
        holder = self._holders.add("native", "graph of its own gradient, from backward(create_graph=True)",
                                   k.type_name(type(node)), group.count)
        group.holders.append(holder.number)
        return True

    def _in_cycle(self, group, tensors, index):
        way = self.garbage(tensors, index)
        if way is not None:
            self._enter_cycle(group, way)
        return way is not None

    def garbage(self, box, index, others=(), most=cycles.MOST):
        """The cycle through the object at an index of our list box, if it is garbage. others are
        further lists of ours that hold such objects."""
        way = cycles.through(box[index], self._kinds, self._reader, most)
        if way is None:
            return None
        held = dict(self._holds())
        for number in [id(obj) for obj, _ in way]:
            held[number] = held.get(number, 0) + 1
        for listed in [box, *others]:
            for number in map(id, listed):
                held[number] = held.get(number, 0) + 1
        return way if cycles.is_garbage(box, index, held, self._kinds) else None

    def _holds(self):
        """How many references each tensor, module and optimizer has from the census, by id."""
        if self._held is None:
            self._held = {}
            for listed in self._lists:
                for number in map(id, listed):
                    self._held[number] = self._held.get(number, 0) + 1
        return self._held

    def _enter_cycle(self, group, way):
        holder = self.note_cycle(way, group.count, len(group.new), group.bytes[-1])
        group.holders.append(holder.number)

    def note_cycle(self, way, lengths, count, size):
        """Enters a cycle as a holder, and in the list of cycles once for all groups it holds."""
        words = cycles.Description(way, self._kinds)
        holder = self._holders.add("cycle", words.path, words.type, lengths, words.cls, words.attribute)
        entry = next((entry for entry in self.cycles if entry["path"] == words.path), None)
        if entry is None:
            entry = {"type": words.type, "path": words.path, "count": 0, "bytes": 0, "sample": words.sample}
            self.cycles.append(entry)
        entry["count"] += count
        entry["bytes"] += size
        return holder

    def ask_referrers(self, entries, seconds_each, own, only_cycles=False):
        """The dear way, one pass over all objects a level: entries are [(group, tensors)]; own are
        further lists of ours that hold such tensors."""
        self._own.update(map(id, own))
        self._only_cycles = only_cycles
        targets = [(group, tensors[0], []) for group, tensors in entries]
        for _ in range(_LEVELS):
            if not targets or self._ctx.stopwatch.left() < 2 * seconds_each:
                break
            targets = self._level(targets)
        for group, _, way in targets:
            self._unreached(group, way)

    def _level(self, targets):
        wanted = [target for _, target, _ in targets]
        self._own.add(id(wanted))
        self._own.update(map(id, targets))
        self._own.add(id(targets))
        referrers = [r for r in gc.get_referrers(*wanted) if not self._is_own(r)]
        by_target = {}
        targets_ids = set(map(id, wanted))
        for referrer in referrers:
            for inner in targets_ids.intersection(map(id, gc.get_referents(referrer))):
                by_target.setdefault(inner, []).append(referrer)
        referrer = None
        del wanted
        left = []
        for group, target, way in targets:
            found = by_target.get(id(target), [])
            step = self._step(group, found, way, [referrers, *by_target.values()])
            if step is not None:
                left.append((group, step, way + [k.type_name(type(step))]))
        del by_target, referrers
        return left

    def _step(self, group, found, way, lists):
        """Decides on one target's referrers; returns the one to go on from, None when it is settled."""
        if not found:
            self._unreached(group, way)
            return None
        for referrer in found:
            path = self._known().get(id(referrer))
            if path is not None:
                if not self._only_cycles:
                    self._holders.attach_path(group, path)
                return None
        referrer = None
        for index in range(min(len(found), _SAMPLES)):
            cycle = self.garbage(found, index, [other for other in lists if other is not found])
            if cycle is not None:
                self._enter_cycle(group, cycle)
                return None
        # A plain list is more often a passing one than what keeps a tensor.
        return next((f for f in found if self._kinds.of(f) != k.LIST), found[0])

    def _known(self):
        if self._paths_by_id is None:
            self._paths_by_id = {id(obj): path for path, obj in self._search.objects.items()}
        return self._paths_by_id

    def _unreached(self, group, way):
        if self._only_cycles:
            return
        if way:
            holder = self._holders.add("container", "%s that no name of the program leads to" % way[-1], way[-1],
                                       group.count)
        else:
            holder = self._holders.add("native", "nothing in Python refers to it", "", group.count)
        group.holders.append(holder.number)

    def _is_own(self, referrer):
        if id(referrer) in self._own:
            return True
        return self._kinds.of(referrer) == k.FRAME and OWN in referrer.f_code.co_filename
