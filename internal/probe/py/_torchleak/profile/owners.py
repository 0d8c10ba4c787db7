"""Whose tensors are whose: parameters, buffers, gradients and optimizer state, as they stand now."""

from _torchleak.evidence import census
from _torchleak.evidence import kinds as k
from _torchleak.evidence import tables

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
        census.find(found, self._kinds, self._ctx.optimizers)
        self._modules.name(found.modules)
        self._names = {}
        with self._reader.quiet():
            for module in found.modules:
                yield from self._of_module(module)
            for optimizer in found.optimizers:
                for tensor in tables.optimized(optimizer, self._kinds):
                    yield from self._parameter(tensor, "")
            for optimizer in found.optimizers:
                for parameter, tensor in tables.state(optimizer, self._kinds):
                    yield tensor, OPTIMIZER, self._names.get(id(parameter), "")
            for tensor in found.tensors:
                if self._kinds.of(tensor) == k.TENSOR:
                    yield tensor, "", ""
                    gradient = self._reader.grad(tensor)
                    if gradient is not None:
                        yield gradient, GRADIENT, ""

    def _of_module(self, module):
        path = self._modules.path(module)
        for name, tensor in tables.tensors(module, "_parameters", self._kinds):
            yield from self._parameter(tensor, "%s.%s" % (path, name))
        for name, tensor in tables.tensors(module, "_buffers", self._kinds):
            yield tensor, BUFFER, "%s.%s" % (path, name)

    def _parameter(self, tensor, name):
        name = self._names.setdefault(id(tensor), name)
        yield tensor, PARAMETER, name
        gradient = self._reader.grad(tensor) if self._kinds.of(tensor) == k.TENSOR else None
        if gradient is not None:
            yield gradient, GRADIENT, name
