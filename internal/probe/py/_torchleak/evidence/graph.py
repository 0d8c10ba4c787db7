"""Walks autograd graphs from Python: how many nodes hang on a tensor, and what they saved."""

import time

from _torchleak import guard
from _torchleak.evidence import kinds as k


class Walk:
    """The nodes reached from some tensors. Keeps them alive: drop it soon."""

    def __init__(self, limit, seconds):
        self._limit = limit
        self._deadline = time.thread_time() + seconds
        self.nodes = {}  # id -> node
        self.truncated = False

    def add(self, node):
        """Goes through all that hangs on a node; returns how many of it were new."""
        before, nodes, stack = len(self.nodes), self.nodes, [node]
        while stack:
            node = stack.pop()
            if id(node) in nodes:
                continue
            if len(nodes) >= self._limit or len(nodes) & 63 == 63 and time.thread_time() > self._deadline:
                self.truncated = True
                break
            nodes[id(node)] = node
            stack.extend(inner for inner, _ in node.next_functions if inner is not None)
        return len(nodes) - before

    def functions(self, most=8):
        """The names of the commonest kinds of nodes."""
        counts = {}
        for node in self.nodes.values():
            name = k.type_name(type(node))
            counts[name] = counts.get(name, 0) + 1
        return sorted(counts, key=lambda name: -counts[name])[:most]

    def sequence(self):
        """The sequence numbers of the nodes, where this torch tells them: they name a node over time."""
        numbers = (sequence_number(node) for node in self.nodes.values())
        return {number for number in numbers if number is not None}


def sequence_number(node):
    """The node's number in the order of making, None where there is none."""
    read = getattr(type(node), "_sequence_nr", None)
    try:
        return read(node) if read is not None else None
    except (RuntimeError, TypeError) as error:
        guard.hand_on(error)
        return None


class Saved:
    """Reads what nodes saved for backward. Never use it where saved tensors go through hooks:
    reading would call them."""

    def __init__(self, torch, kinds, reader):
        self._kinds = kinds
        self._reader = reader
        entries = k.type_dict(torch._C._FunctionBase)
        self._custom = torch._C._FunctionBase
        self._saved_tensors = entries["saved_tensors"].__get__
        self._names = {}  # id of node type -> names of its saved tensors

    def storages(self, nodes, seconds):
        """({storage: bytes}, how many nodes were read) of these nodes' saved tensors."""
        deadline = time.thread_time() + seconds
        found, count = {}, 0
        with self._reader.quiet():
            for node in nodes:
                count += 1
                if count & 31 == 0 and time.thread_time() > deadline:
                    break
                for tensor in self.of(node):
                    storage, size = self._reader.storage(tensor)
                    found[storage] = size
        return found, count

    def of(self, node):
        """The tensors that a node has saved and not freed. Never ask while a backward pass runs: it locks its nodes."""
        if k.derives(type(node), self._custom):
            values = list((k.instance_dict(node) or {}).values())
            try:
                values.extend(self._saved_tensors(node))
            except RuntimeError as error:
                guard.hand_on(error)  # else freed by backward
        else:
            values = []
            for name in self._saved_names(type(node)):
                try:
                    value = getattr(node, name)
                except RuntimeError as error:
                    guard.hand_on(error)
                    return []  # freed by backward: this node holds no memory of tensors any more
                values.extend(value if type(value) in (tuple, list) else (value,))
        return [value for value in values if self._kinds.of(value) == k.TENSOR]

    def _saved_names(self, tp):
        names = self._names.get(id(tp))
        if names is None:
            names = self._names[id(tp)] = [name for name in dir(tp) if name.startswith("_saved_")]
        return names
