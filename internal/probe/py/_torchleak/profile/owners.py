"""Whose tensors are whose: parameters, buffers, gradients and optimizer state, as they stand now."""

from _torchleak.evidence import census
from _torchleak.evidence import kinds as k

PARAMETER, BUFFER, GRADIENT, OPTIMIZER = "parameter", "buffer", "gradient", "optimizer state"


class Owners:
    """Walks over the target's modules and optimizers."""

    def __init__(self, ctx, kinds, reader, modules):
        self._ctx = ctx
        self._kinds = kinds
        self._reader = reader
        self._modules = modules
        self._names = {}  # id of parameter -> its name, within one look

    def look(self):
        """(tensor, category, name) of every tensor that Python knows; category and name are empty for what nobody
        owns. The same tensor may come several times: the first counts."""
        found = census.Census(0)
        census.find(found, self._kinds)
        self._modules.name(found.modules)
        self._names = {}
        met = set(map(id, found.optimizers))
        optimizers = found.optimizers + [o for o in self._ctx.optimizers if id(o) not in met]
        with self._reader.quiet():
            for module in found.modules:
                yield from self._of_module(module)
            for optimizer in optimizers:
                for tensor in census.optimizer_parameters(optimizer, self._kinds):
                    yield from self._parameter(tensor, "")
            for optimizer in optimizers:
                yield from self._state(optimizer)
            for tensor in found.tensors:
                if self._kinds.of(tensor) == k.TENSOR:
                    yield tensor, "", ""
                    gradient = self._reader.grad(tensor)
                    if gradient is not None:
                        yield gradient, GRADIENT, ""

    def _state(self, optimizer):
        state = (k.instance_dict(optimizer) or {}).get("state")
        if self._kinds.of(state) != k.DICT:
            return
        for parameter, entry in list(dict.items(state)):
            values = list(dict.values(entry)) if self._kinds.of(entry) == k.DICT else [entry]
            for value in values:
                if id(type(value)) in self._kinds.tensors:
                    yield value, OPTIMIZER, self._names.get(id(parameter), "")

    def _of_module(self, module):
        attributes = k.instance_dict(module) or {}
        for table, category in (("_parameters", PARAMETER), ("_buffers", BUFFER)):
            entries = attributes.get(table)
            if self._kinds.of(entries) != k.DICT:
                continue
            for name, tensor in list(dict.items(entries)):
                if id(type(tensor)) not in self._kinds.tensors:
                    continue
                name = "%s.%s" % (self._modules.path(module), name)
                if category is PARAMETER:
                    yield from self._parameter(tensor, name)
                else:
                    yield tensor, BUFFER, name

    def _parameter(self, tensor, name):
        name = self._names.setdefault(id(tensor), name)
        yield tensor, PARAMETER, name
        gradient = self._reader.grad(tensor) if self._kinds.of(tensor) == k.TENSOR else None
        if gradient is not None:
            yield gradient, GRADIENT, name
