"""Finds the reference cycle that a tensor hangs in, by going forward from it until it comes back."""

import builtins
import gc
import sys
from collections import deque
from itertools import islice

from _torchleak.evidence import kinds as k

MOST = 2000
_MOST_INSIDE = 6000
_LOOKS = 30000  # at references, most of which may lead to plain numbers
_CLOSED = frozenset((k.MODULE, k.CLASS, k.FRAME, k.ATOM))


def through(obj, kinds, reader, most=MOST):
    """The cycle as [(object, how the next is reached), …] from obj back to itself, or None."""
    parents = {id(obj): None}
    met = [obj]  # keeps them alive, so that ids stay theirs
    queue = deque([obj])
    looked = 0
    while queue:
        at = queue.popleft()
        for label, inner in _edges(at, kinds, reader):
            if inner is obj:
                return _unwind(at, label, parents)
            looked += 1
            if len(met) >= most or looked >= _LOOKS:
                return None
            if id(inner) in parents or kinds.of(inner) in _CLOSED:
                continue
            parents[id(inner)] = (at, label)
            met.append(inner)
            queue.append(inner)
    return None


def _unwind(at, label, parents):
    way = [(at, label)]
    while parents[id(at)] is not None:
        at, label = parents[id(at)]
        way.append((at, label))
    way.reverse()
    return way


def _edges(obj, kinds, reader):
    kind = kinds.of(obj)
    if kind == k.TENSOR:
        node = reader.grad_fn(obj)
        if node is not None:
            yield "grad_fn", node
    if k.is_node(obj):
        for inner, _ in obj.next_functions:
            if inner is not None:
                yield "next_functions", inner
    attributes = k.instance_dict(obj) if kind not in _CLOSED else None
    if attributes:
        for name, value in list(islice(attributes.items(), _LOOKS)):
            yield str(name), value
    if kind == k.DICT:
        for name, value in list(islice(dict.items(obj), _LOOKS)):
            yield name if type(name) is str else "[…]", value
        return
    for inner in referents(obj, kinds) if _length(obj, kinds) < _LOOKS else ():
        if inner is not attributes:
            yield "[…]" if kind in (k.LIST, k.TUPLE, k.DEQUE, k.SET) else "…", inner


def is_garbage(box, index, held, kinds):
    """Whether the object at an index of a list is garbage, found as the collector finds it: whether
    no reference from outside leads to it or to what leads to it. held counts, by id, the references
    that are ours. Says no where more hangs on it than can be looked at.
    """
    met, numbers = [box[index]], {id(box[index]): 0}
    inside, inner_of = [0], []
    at = looked = 0
    while at < len(met):
        looked += 1 + _length(met[at], kinds)
        if looked > _LOOKS:
            return False
        inner = referents(met[at], kinds)
        inner_of.append([])
        for number in range(len(inner)):
            known = numbers.get(id(inner[number]))
            if known is None:
                known = numbers[id(inner[number])] = len(met)
                met.append(inner[number])
                inside.append(0)
            inside[known] += 1
            inner_of[at].append(known)
        if len(met) > _MOST_INSIDE:
            return False
        at += 1
    inner = None
    alive = [number for number, count in enumerate(_counts(met))
             if count - held.get(id(met[number]), 0) > inside[number]]
    seen = set(alive)
    while alive:
        for number in inner_of[alive.pop()]:
            if number not in seen:
                seen.add(number)
                alive.append(number)
    return 0 not in seen


def _counts(met):
    """How many references each object of a list has, but for the list's own and those of the counting."""
    for probe in [object()]:
        own = sys.getrefcount(probe)
    counts = []
    for probe in met:
        counts.append(sys.getrefcount(probe) - own)
    return counts


def _length(obj, kinds):
    """How many elements an object has, to be asked before they are gone through; 0 for what has none."""
    kind = kinds.of(obj)
    if kind == k.TUPLE:
        return tuple.__len__(obj)
    return k.length(obj, kind) if kind in k.SIZED else 0


def referents(obj, kinds):
    """What an object refers to, as the collector sees it, without the program's modules and classes."""
    inner = gc.get_referents(obj)
    if kinds.of(obj) == k.FUNCTION:
        spaces = obj.__globals__, vars(builtins)
        inner = [value for value in inner if value is not spaces[0] and value is not spaces[1]]
    return [value for value in inner if kinds.of(value) not in _CLOSED]


class Description:
    """A cycle in words: led by the type that a person would look for first, and its attribute."""

    def __init__(self, way, kinds):
        self.type = k.type_name(type(way[0][0]))
        self.cls = None     # the class in whose source to look
        self.attribute = ""
        self.sample = []
        start = next((i for i, (obj, _) in enumerate(way) if _own(obj, kinds)), 0)
        for obj, label in way[start:] + way[:start]:
            own = _own(obj, kinds)
            forward = k.type_dict(type(obj)).get("_forward_cls")  # of a torch.autograd.Function
            cls = forward if forward is not None else type(obj)
            if own and self.cls is None:
                self.type, self.cls, self.attribute = k.type_name(type(obj)), cls, label
            if own or not self.sample:
                self.sample.append(k.type_name(cls) + ".ctx" if forward is not None else k.type_name(cls))
            if label != "…":
                self.sample.append(label)

    @property
    def path(self):
        """The way round as one word."""
        return ".".join(self.sample)


def _own(obj, kinds):
    """Whether the object is of a class or function of the program's rather than a tensor or a dict."""
    if kinds.of(obj) in (k.INSTANCE, k.NN_MODULE, k.EXCEPTION, k.FUNCTION):
        return True
    return k.is_node(obj) and k.type_name(type(obj)).rstrip("0123456789").endswith("Backward")
