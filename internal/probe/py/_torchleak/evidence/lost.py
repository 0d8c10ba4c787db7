"""Looks after tensors that the search from the user's names does not reach: saved in a graph, in a
garbage cycle, held by something the search could not enter, or by nothing of Python's."""

import gc

from _torchleak import guard
from _torchleak.evidence import cycles
from _torchleak.evidence import kinds as k

_LEVELS = 3
_SAMPLES = 6


class Lost:
    """The groups with unreached tensors of one stop."""

    def __init__(self, ctx, kinds, reader, search, holders, own):
        self._ctx = ctx
        self._kinds = kinds
        self._reader = reader
        self._search = search
        self._holders = holders
        self._own = own       # ids of our other containers that refer to tensors
        self.lists = []       # those of ours with one reference to each of their members
        self._held = None
        self._only_cycles = False
        self._paths_by_id = None
        self.cycles = []
        self.unasked = False  # there was no time to ask what refers to some

    def explain(self, group, tensors, saved):
        """Finds a holder for a group none of whose new tensors is reached. `saved` maps storages to
        the holder in whose graph they are kept. Returns whether it found one."""
        for tensor in tensors[:_SAMPLES]:
            if self._kinds.of(tensor) != k.TENSOR:
                continue
            holder = saved.get(self._reader.storage(tensor)[0])
            if holder is not None:
                group.holders.append(holder)
                return True
        tensor = None
        return any(self._in_cycle(group, tensors, index) for index in range(len(tensors[:_SAMPLES])))

    def own_gradient(self, group, tensors):
        """Whether the group is of leaves, or of their gradients, that backward(create_graph=True) ties together."""
        return any(self._own_gradient(group, tensor) for tensor in tensors[:_SAMPLES])

    def _own_gradient(self, group, tensor):
        """The gradient's graph leads back to the tensor, in C++ alone."""
        gradient = self._reader.grad(tensor) if self._kinds.of(tensor) == k.TENSOR else None
        if gradient is None and group.key.category != "gradient":
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
        """The cycle through the object at an index of a list, if it is garbage. others are lists of
        ours that hold such objects beside those that are known from the start."""
        way = cycles.through(box[index], self._kinds, self._reader, most)
        if way is None:
            return None
        held = dict(self._holds())
        for number in [id(obj) for obj, _ in way]:
            held[number] = held.get(number, 0) + 1
        for listed in others:
            for number in map(id, listed):
                held[number] = held.get(number, 0) + 1
        return way if cycles.is_garbage(box, index, held, self._kinds) else None

    def counted(self, lists):
        """Lists of ours with one reference to each of their members, from here on."""
        self.lists += lists
        self._held = None
        self._own.update(map(id, lists))

    def _holds(self):
        """How many references each tensor, module and optimizer has from the census, by id."""
        if self._held is None:
            self._held = {}
            for listed in self.lists:
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

    def ask_referrers(self, entries, seconds_each, only_cycles=False):
        """The dear way, one pass over all objects a level: entries are [(group, tensors)]."""
        self._only_cycles = only_cycles
        climbs = {}
        for group, tensors in entries:  # the groups of one module's tensors have one target
            climbs.setdefault(id(tensors[0]), _Climb(tensors[0])).groups.append(group)
        left = list(climbs.values())
        del climbs
        for level in range(_LEVELS):
            # The first one may overdraw: without it nothing is known of who holds them.
            if not left or self._ctx.stopwatch.left() < (2 * seconds_each if level else 0):
                break
            left = self._level(left)
        for climb in left:
            if climb.type:
                self._unreached(climb)
            else:
                self.unasked = True

    def _level(self, climbs):
        wanted = [climb.at for climb in climbs]
        self._own.update((id(wanted), id(climbs), *map(id, climbs)))
        referrers = [r for r in gc.get_referrers(*wanted) if not self._is_own(r)]
        by_target = {}
        targets = set(map(id, wanted))
        for referrer in referrers:
            for inner in targets.intersection(map(id, gc.get_referents(referrer))):
                by_target.setdefault(inner, []).append(referrer)
        referrer = None
        # What is wanted is referred to by that list and by its climb.
        lists = [referrers, wanted, wanted, *by_target.values()]
        return [climb for climb in climbs if not self._settled(climb, by_target.get(id(climb.at), []), lists)]

    def _settled(self, climb, found, lists):
        """Decides on what refers to one target; when that is no answer the climb goes on from there."""
        if not found:
            self._unreached(climb)
            return True
        for path in filter(None, map(self._known().get, map(id, found))):
            for group in climb.groups if not self._only_cycles else ():
                self._holders.attach_path(group, path)
            return True
        for index in range(min(len(found), _SAMPLES)):
            cycle = self.garbage(found, index, lists)
            if cycle is not None:
                for group in climb.groups:
                    self._enter_cycle(group, cycle)
                return True
        # A plain list is more often a passing one than what keeps a tensor.
        climb.at = next((inner for inner in found if self._kinds.of(inner) != k.LIST), found[0])
        climb.type = k.type_name(type(climb.at))
        return False

    def _known(self):
        if self._paths_by_id is None:
            self._paths_by_id = {id(obj): path for path, obj in self._search.objects.items()}
        return self._paths_by_id

    def _unreached(self, climb):
        for group in climb.groups if not self._only_cycles else ():
            if climb.type:
                holder = self._holders.add("container", "%s that no name of the program leads to" % climb.type,
                                           climb.type, group.count)
            else:
                holder = self._holders.add("native", "nothing in Python refers to it", "", group.count)
            group.holders.append(holder.number)

    def _is_own(self, referrer):
        if id(referrer) in self._own:
            return True
        return self._kinds.of(referrer) == k.FRAME and guard.OWN in referrer.f_code.co_filename


class _Climb:
    """The way up from one target, through what refers to it."""

    __slots__ = ("at", "type", "groups")

    def __init__(self, at):
        self.at = at
        self.type = ""    # of the last referrer; empty at the target itself
        self.groups = []
