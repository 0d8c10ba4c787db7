"""Finds the reference cycle that a tensor hangs in, by going forward from it until it comes back."""

import gc
from collections import deque

from _torchleak.evidence import kinds as k

_MOST = 3000
_CLOSED = frozenset((k.MODULE, k.CLASS, k.FRAME, k.ATOM))


def through(obj, kinds, reader):
    """The cycle as [(object, how the next is reached), …] from obj back to itself, or None."""
    parents = {id(obj): None}
    met = [obj]  # keeps them alive, so that ids stay theirs
    queue = deque([obj])
    while queue and len(met) < _MOST:
        at = queue.popleft()
        for label, inner in _edges(at, kinds, reader):
            if inner is obj:
                return _unwind(at, label, parents)
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
    functions = k.type_module(type(obj)) == "torch.autograd" or _is_node(type(obj))
    if functions:
        for inner, _ in obj.next_functions:
            if inner is not None:
                yield "next_functions", inner
    attributes = k.instance_dict(obj) if kind in (k.INSTANCE, k.OPAQUE, k.NN_MODULE, k.TENSOR) else None
    if attributes:
        for name, value in list(attributes.items()):
            yield str(name), value
    if kind == k.DICT:
        for name, value in list(dict.items(obj)):
            yield name if type(name) is str else "[…]", value
        return
    for inner in gc.get_referents(obj):
        if inner is not attributes:
            yield "[…]" if kind in (k.LIST, k.TUPLE, k.DEQUE, k.SET) else "…", inner


def _is_node(tp):
    return k.type_name(tp).rstrip("0123456789").endswith("Backward") and hasattr(tp, "next_functions")


def describe(way, kinds):
    """(type, path, sample) of a cycle: the type that a person would look for first."""
    sample = []
    for obj, label in way:
        name = k.type_name(type(obj))
        if kinds.of(obj) not in (k.TENSOR, k.DICT):
            sample.append(name)
        if label != "…":
            sample.append(label)
    own = [obj for obj, _ in way
           if kinds.of(obj) in (k.INSTANCE, k.NN_MODULE, k.EXCEPTION, k.FUNCTION) or _is_node(type(obj))]
    first = own[0] if own else way[0][0]
    return k.type_name(type(first)), ".".join(sample), sample
