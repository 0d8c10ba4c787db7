"""Says of what grew who holds it: one entry a container or slot, joined with the groups it keeps alive."""

import gc
import os
from collections import deque
from itertools import islice
from types import FunctionType

from _torchleak import guard
from _torchleak.evidence import kinds as k
from _torchleak.evidence import paths as p
from _torchleak.evidence import render, sizes

MOST = 40
_SAMPLE = 48
_BOUND = "pybind11_type"  # of the classes that a library of C++ gives to Python: what their objects keep is not known
_PROFILERS = ("torch.autograd.profiler", "torch.profiler.profiler", "torch.profiler")


class Holder:
    """One holder: what is written of it, and how to look at it again in the watch."""

    def __init__(self, number, path, entry):
        self.number = number
        self.path = path
        self.entry = entry  # the JSON object
        self.rebound = False  # the name gets another container each time


class Holders:
    """All holders of a request."""

    def __init__(self, kinds, reader, paths, search, files):
        self._kinds = kinds
        self._reader = reader
        self._paths = paths
        self._search = search
        self._renderer = render.Renderer(paths, search.objects, files)
        self._by_path = {}
        self._chains = set()
        self.all = []

    def add_grown(self, growth):
        """Enters every container and slot that grew, the costliest first."""
        self._chains = growth.chains
        ranked = []
        for path, lengths in growth.containers.items():
            obj = self._search.objects.get(path)
            if obj is None:
                continue
            size = self._bytes_each(obj)
            if self._paths.step(path)[1] == p.MODULE and not self._holds_tensors(obj):
                continue  # names of a module come with imports
            ranked.append((size * (lengths[-1] - lengths[0]), path, lengths, size))
        ranked.sort(key=lambda entry: -entry[0])
        for _, path, lengths, size in ranked[:MOST]:
            holder = self._container(path, lengths, size)
            holder.rebound = path in growth.rebound
            if holder.rebound and self._paths.parent(path) in growth.chains:
                self._rename(holder, self._paths.parent(path))
            if lengths[-1] <= growth.bounds.get(path, -1):  # else it keeps what is of no parameter any more
                holder.entry["maxlen"] = growth.bounds[path]
        for path, slots in list(growth.slots.items())[:MOST]:
            if not self._inside_grown(path):
                self._slot(path, slots)
        for path, row in list(growth.flats.items())[:MOST]:
            if not self._inside_grown(path):
                self._flat(path, row)

    def attach(self, group, tensors):
        """Finds who holds a grown group's new tensors; returns those of the sample nobody reaches."""
        votes, lost, chains = {}, [], set()
        for tensor_id in group.new[:_SAMPLE]:
            path = self._search.tensors.get(tensor_id)
            if path is None:
                if tensor_id in tensors:
                    lost.append(tensors[tensor_id])
                continue
            grown = self._grown_ancestor(path)
            if not grown or self._is_rebound(grown):
                chains.update(at for at in self._paths.chain(path) if at in self._chains)
            votes[grown or path] = votes.get(grown or path, 0) + 1
            if grown:
                self._through_exception(grown, path)
        known = {path: count for path, count in votes.items() if path in self._by_path}
        if chains and all(map(self._is_rebound, known)):
            group.holders.append(self._chain(min(chains)).number)
            return lost
        if not known and lost:
            return lost  # a name for the newest of them is not what keeps the others
        if not known:
            votes = self._chained(votes)
        most = len(known) or 4  # what grew is entered at any rate
        for path in sorted(known or votes, key=lambda path: -votes[path])[:most]:
            holder = self._by_path.get(path) or (
                self._reached(path) if path in self._search.objects else self._slot(path, None))
            if holder.number not in group.holders:
                group.holders.append(holder.number)
        return lost

    def _rename(self, holder, path):
        """A part of what is replaced as a whole goes by the name of the whole, which the program writes to."""
        words = self._renderer.words(path)
        holder.path = path
        holder.entry.update(path=words.text, root=words.root, scope=words.scope)
        self._by_path[path] = holder

    def _is_rebound(self, path):
        """Whether the name of a grown container gets another one each time, as a part of what is replaced has."""
        return self._by_path[path].rebound

    def _chain(self, path):
        """The name that leads to the newest link of a chain."""
        holder = self._by_path.get(path) or self._reached(path)
        holder.rebound = True
        return holder

    def _chained(self, votes):
        """A name of one tensor does not keep a growing number. Where several of a group's tensors lie behind one
        object, as in a chain of states, it is that object: the nearest one behind which most of them lie."""
        behind = {}
        for path, count in votes.items():
            for at in self._paths.chain(path)[:-1]:  # what several were reached by is no name of one: an iterator's inside
                if self._paths.parent(at):
                    behind[at] = behind.get(at, 0) + count
        most = max(behind.values(), default=0)
        if most < 2:
            return votes
        nearest = max((at for at in behind if behind[at] == most), key=lambda at: len(self._paths.chain(at)))
        return {nearest: most} if nearest in self._search.objects or nearest in self._search.slots else votes

    def kept(self, group):
        """Those of a group's new tensors that its first holder keeps, and not a name in passing."""
        if not group.holders:
            return []
        path = self.all[group.holders[0]].path
        reached = self._search.tensors
        return [i for i in group.new[:_SAMPLE] if i in reached and path in (
            reached[i], self._grown_ancestor(reached[i]))]

    def attach_path(self, group, path):
        """Enters the object at a path as a group's holder."""
        grown = self._grown_ancestor(path)
        holder = self._by_path[grown] if grown else self._by_path.get(path) or self._reached(path)
        if holder.number not in group.holders:
            group.holders.append(holder.number)

    def _reached(self, path):
        path = self._iterator(path)
        obj = self._search.objects[path]
        kind = "exception" if self._kinds.of(obj) == k.EXCEPTION else "container"
        entry = self._entry(kind, self._renderer.words(path))
        entry.update(type=_type_name(obj))
        return self._enter(path, entry)

    def _iterator(self, path):
        """What an iterator of itertools keeps inside has no name but the iterator's."""
        parent = self._paths.parent(path)
        while parent and k.type_module(type(self._search.objects.get(parent))) == "itertools":
            path, parent = parent, self._paths.parent(parent)
        return path

    def add(self, kind, path_text, type_name, length, cls=None, attribute=""):
        """Enters a holder that the search from the user's names did not reach."""
        for holder in self.all:
            if holder.entry["kind"] == kind and holder.entry["path"] == path_text:
                return holder
        entry = self._entry(kind, render.Words())
        entry.update(path=path_text, type=type_name, length=length)
        if cls is not None:
            entry["scope"] = self._renderer.class_scope("attribute", attribute, cls)
        return self._enter(0, entry)

    def add_profiler(self):
        """Enters the profiler that is on: what it records is native."""
        for path, obj in self._search.objects.items():
            if self._kinds.of(obj) == k.INSTANCE and k.type_module(type(obj)) in _PROFILERS:
                entry = self._entry("native", self._renderer.words(path))
                entry.update(type=k.type_name(type(obj)))
                self._enter(path, entry)
                return

    def _enter(self, path, entry):
        holder = Holder(len(self.all), path, entry)
        entry["id"] = holder.number
        self.all.append(holder)
        if path:
            self._by_path[path] = holder
        return holder

    def _entry(self, kind, words):
        return {
            "id": 0, "kind": kind, "path": words.text, "type": "", "length": [], "maxlen": None, "elements": "",
            "native": False, "bytes": [], "root": words.root, "scope": words.scope, "through": words.through, "hook": words.hook,
            "writes": [],
        }

    def _container(self, path, lengths, size):
        obj = self._search.objects[path]
        kind = self._kinds.of(obj)
        words = self._renderer.words(path)
        newest = self.newest(obj)
        entry = self._entry(self._kind(path, obj, newest), words)
        entry.update(
            type=k.type_name(type(obj)), length=lengths, maxlen=k.max_length(obj, kind) if kind in k.SIZED else None,
            elements=_elements(newest), native=k.type_name(type(type(newest))) == _BOUND, bytes=[size * n for n in lengths])
        if entry["kind"] == "cache":
            entry["path"] = self._cache_text(path, obj, words)
        outer = self._iterator(path)
        if outer != path:
            entry.update(path=self._renderer.words(outer).text, type=_type_name(self._search.objects[outer]))
        return self._enter(path, entry)

    def _slot(self, path, slots):
        words = self._renderer.words(path)
        entry = self._entry("exception" if words.exception else "slot", words)
        tensor = self._search.slots.get(path)
        entry.update(type=k.type_name(type(tensor)), elements="Tensor")
        if slots:
            entry.update(bytes=[slot.bytes for slot in slots])
        return self._enter(path, entry)

    def _flat(self, path, row):
        entry = self._entry("slot", self._renderer.words(path))
        entry.update(type=row[-1].type_name, bytes=[flat.bytes for flat in row])
        return self._enter(path, entry)

    def _kind(self, path, obj, newest):
        parent, edge, name = self._paths.step(path)
        owner = self._search.objects.get(parent)
        if edge == p.TABLE:
            return "registry" if name in ("_parameters", "_buffers", "_modules") else "hooks"
        if self._is_optimizers(path):
            return "optimizer"
        if self._kinds.of(obj) == k.CACHE or self._keyed_by_tensors(obj):
            return "cache"
        if edge == p.SELF and owner is not None and self._kinds.of(owner) == k.CACHE:
            return "cache"
        if newest is not None and self._kinds.of(newest) == k.EXCEPTION:
            return "exception"
        return "container"

    def _is_optimizers(self, path):
        """Whether an optimizer's parameters are listed here, or its state by parameter. What else one keeps, as a list in
        the state of a parameter, is a container as any other, unless it is LBFGS's history."""
        chain = self._paths.chain(path)
        for depth, at in enumerate(reversed(chain)):
            member = self._search.objects.get(at)
            if depth and member is not None and self._kinds.of(member) == k.OPTIMIZER:
                name = self._paths.step(chain[-depth])[2]
                return name == "param_groups" or name == "state" and (depth == 1 or _keeps_history(type(member)))
        return False

    def _cache_text(self, path, obj, words):
        if self._kinds.of(obj) != k.CACHE:
            return words.text
        inner = getattr(obj, "__wrapped__", None)  # set by functools itself
        name = getattr(inner, "__qualname__", "") if type(inner) is FunctionType else ""
        return "functools cache of %s()" % name if name else words.text

    def _keyed_by_tensors(self, obj):
        if self._kinds.of(obj) != k.DICT:
            return False
        for key in islice(reversed(dict.keys(obj)), 4):
            parts = key if type(key) is tuple else (key,)
            if any(id(type(part)) in self._kinds.tensors for part in parts):
                return True
        return False

    def _through_exception(self, grown, path):
        """A container whose tensors hang on the frames of exceptions is said to be that."""
        holder = self._by_path[grown]
        for at in self._paths.chain(path):
            parent, edge, name = self._paths.step(at)
            if edge == p.TRACEBACK and holder.entry["kind"] in ("exception", "container"):
                text = self._renderer.words(grown).text
                holder.entry["kind"] = "exception"
                holder.entry["path"] = "locals of frame %s() held by a stored exception in %s[…]" % (name, text)

    def _grown_ancestor(self, path):
        for at in reversed(self._paths.chain(path)):
            if at in self._by_path and (self._by_path[at].entry["length"] or at == path):
                return at
            names = self._paths.number(at, p.NAMES, "")
            if names in self._by_path:
                return names
            for table in ("_modules", "_parameters", "_buffers"):
                number = self._paths.number(at, p.TABLE, table)
                if number in self._by_path:
                    return number
        return 0

    def _inside_grown(self, path):
        return any(at in self._by_path for at in self._paths.chain(path)[:-1])

    def _holds_tensors(self, module):
        attributes = k.namespace(module) or {}
        newest = islice(reversed(attributes.values()), 4)
        return any(id(type(value)) in self._kinds.tensors for value in newest)

    def newest(self, obj):
        """The element that came last, as far as the type tells."""
        return next(iter(newest(obj, self._kinds, 1)), None)

    def _bytes_each(self, obj):
        measure = sizes.Sizes(self._kinds, self._reader)
        sample = newest(obj, self._kinds, 32)
        if not sample:
            return 64
        keys = newest_keys(obj, self._kinds, len(sample))
        return sum(measure.of(item) for item in sample + keys) // len(sample) + 8


def _type_name(obj):
    name = k.type_name(type(obj))
    return name.lstrip("_") if k.type_module(type(obj)) == "itertools" else name  # a _tee is made by tee()


def _elements(newest):
    """What the elements of a container are called by the newest one, "" for none: their type, or what their number stands for."""
    if newest is None:
        return ""
    if type(newest) is int and newest > 2 and _is_shared_memory(newest):
        return "descriptor"
    return k.type_name(type(newest))


def _is_shared_memory(descriptor):
    try:
        target = os.readlink("/proc/self/fd/%d" % descriptor)
    except OSError as error:
        guard.hand_on(error)
        return False
    return target.startswith(("/memfd:", "/dev/shm/"))


def newest(obj, kinds, most):
    """The elements of a container that came last, as far as its type tells."""
    kind = kinds.of(obj)
    if kind == k.LIST:
        return list.__getitem__(obj, slice(-most, None))[::-1]
    if kind == k.DEQUE:
        return list(islice(deque.__reversed__(obj), most))
    if kind == k.DICT:
        return list(islice(reversed(dict.values(obj)), most))
    if kind == k.SET:
        base = set if k.derives(type(obj), set) else frozenset
        return list(islice(base.__iter__(obj), most))
    if kind == k.CACHE:
        return _cached(obj, kinds, most)
    return []


def newest_keys(obj, kinds, most):
    """The keys of those elements, of what has keys."""
    return list(islice(reversed(dict.keys(obj)), most)) if kinds.of(obj) == k.DICT else []


def _cached(cache, kinds, most):
    found, attributes = [], k.instance_dict(cache)
    for inner in reversed(gc.get_referents(cache)):
        if inner is attributes:
            continue
        if type(inner) is dict:
            found.extend(islice(reversed(dict.values(inner)), most))
        elif kinds.of(inner) not in (k.FUNCTION, k.CLASS):
            found.append(inner)
    return [item for item in found if k.type_name(type(item)) != "_lru_list_elem"][:most]


def _keeps_history(tp):
    """Whether it is torch's LBFGS, whose lists in the state of a parameter are its own, of history_size entries."""
    return any(k.type_dict(base).get("__module__") == "torch.optim.lbfgs" for base in k.bases(tp))
