"""What a statement gave, so that it can be given again without the statement.

A graph must neither be kept nor be run backward twice: what carries one is kept without it, and given again as the
beginning of a new one.
"""

import sys

_DEEPEST, _LONGEST = 4, 1000
_MOST_BYTES = 256 << 20  # of what need not be kept


class _Leaf:
    """A tensor that carried a graph."""

    __slots__ = ("tensor",)

    def __init__(self, tensor):
        self.tensor = tensor


def spent(value):
    """Whether the value is used up by being used: an iterator, a generator."""
    return hasattr(type(value), "__next__")


class Kept:
    """What is kept of many statements. Those that must be given again are kept whatever they weigh, others while they
    weigh little: a training may fill its device."""

    def __init__(self):
        self._room = _MOST_BYTES

    def keep(self, value, must):
        """The value in a form that holds no graph; raises where there is no room for it."""
        kept = _map(value, _leaf, 0)
        if not must:
            self._room -= sum(_bytes(value))
            if self._room < 0:
                raise MemoryError("no room to keep more")
        return kept


def _bytes(value):
    if type(value) in (list, tuple):
        for v in value[:_LONGEST]:
            yield from _bytes(v)
    elif hasattr(type(value), "element_size"):
        yield value.element_size() * value.nelement()


def reuse(kept):
    """The value again, made of what was kept."""
    return _map(kept, _tensor, 0)


def _leaf(value):
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor) and value.grad_fn is not None:
        return _Leaf(value.detach())
    return value


def _tensor(value):
    # No leaf, since those must not be changed in place, as `loss /= n` does.
    return value.tensor.requires_grad_().clone() if type(value) is _Leaf else value


def _map(value, change, depth):
    if depth < _DEEPEST:
        if type(value) in (list, tuple, set) and len(value) <= _LONGEST:
            return type(value)(_map(v, change, depth + 1) for v in value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(_map(v, change, depth + 1) for v in value))
        if isinstance(value, dict) and len(value) <= _LONGEST:
            new = {k: _map(v, change, depth + 1) for k, v in value.items()}
            if any(new[k] is not value[k] for k in new):
                return new if type(value) is dict else type(value)(**new)
            return value
    return change(value)
