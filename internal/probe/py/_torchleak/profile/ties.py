"""Which operator of forward a backward's operator belongs to."""

import functools

from _torchleak import guard
from _torchleak.evidence import locals as names
from _torchleak.tap import BackwardTap

_MOST_NODES = 50000
_LAST = 1 << 62  # nodes that accumulate gradients have the highest number of all
_ACCUMULATES = "torch::autograd::AccumulateGrad"


def make_ties(torch, ops, name_of):
    """By what this torch offers. ops are the recorder's columns, name_of gives the name of an operator."""
    node = getattr(torch._C, "_current_autograd_node", None)
    sequence = getattr(torch.autograd, "_get_sequence_nr", None)
    if node is not None and sequence is not None:
        return Numbered(node, sequence, ops)
    return Ordered(torch, ops, name_of)


class Numbered:
    """From torch 2.1 on every node has the number that was current when its forward ran."""

    def __init__(self, node, sequence, ops):
        self._node = node
        self._sequence = sequence
        self._ops = ops
        self._made = {}  # number -> operator

    def begin(self):
        """Nothing has to be changed."""

    def end(self):
        """Nothing was changed."""

    def in_backward(self):
        """Whether autograd runs a node in this thread."""
        return self._node() is not None

    def of(self, op, tracked):
        """The operator of forward that this one belongs to, -1 for none."""
        node = self._node()
        tie = -1
        if node is not None:
            number = node._sequence_nr()
            tie = self._made.get(number, -1) if number < _LAST else -1
        if node is None or tracked:
            number = self._sequence() - 1
            known = self._made.get(number)
            if known is None or tracked and not self._ops.tracked[known]:
                self._made[number] = op
        return tie


class Ordered:
    """Before, nodes run in the reverse order of their forward: they are told by their names. A hook behind each node
    tells where it ends."""

    def __init__(self, torch, ops, name_of):
        self._tensor = torch._C._TensorBase
        self._tap = BackwardTap(torch, self._began)
        self._ops = ops
        self._name_of = name_of
        self._handles = []
        self._pending = []  # operators of backward since the last node's end
        self._place = 0     # behind the operators of forward that may still be meant
        self._inside = False

    def begin(self):
        """Waits for backwards."""
        self._tap.apply()

    def end(self):
        """Takes the hooks away."""
        self._tap.remove()
        self._ended()

    def in_backward(self):
        """Whether a backward is under way."""
        return self._inside

    def of(self, op, tracked):
        """-1 for now: the node is told when it ends."""
        if self._inside:
            self._pending.append(op)
        return -1

    def _began(self, frame):
        if self._inside:
            return None
        self._inside, self._place = True, len(self._ops)
        roots = dict(names.read(frame)).get("tensors")
        for node in self._nodes(roots if type(roots) in (tuple, list) else (roots,)):
            name = node.name()
            if name != _ACCUMULATES:
                self._handles.append(node.register_hook(functools.partial(self._node_ended, _plain(name))))
        return self._ended

    def _nodes(self, roots):
        rest = [root.grad_fn for root in roots if isinstance(root, self._tensor)]
        met = set()
        while rest and len(met) < _MOST_NODES:
            node = rest.pop()
            if node is None or node in met:
                continue
            met.add(node)
            rest.extend(inner for inner, _ in node.next_functions)
        return met

    @guard.guarded
    def _ended(self):
        self._inside = False
        for handle in self._handles:
            handle.remove()
        self._handles, self._pending = [], []

    def _node_ended(self, name, *_):
        try:
            tie = next((op for op in range(self._place - 1, -1, -1) if _plain(self._name_of(op)) == name), -1)
            if tie >= 0:
                self._place = tie
                for op in self._pending:
                    self._ops.tie[op] = tie
            self._pending = []
        except Exception as error:
            guard.caught(error)


@functools.lru_cache(maxsize=None)
def _plain(name):
    """What a node and its operator's name have in common: AddmmBackward0 and aten::addmm, NllLossBackward0 and
    aten::nll_loss_forward."""
    name = name.rpartition("::")[2].partition(".")[0].lower().rstrip("0123456789").replace("_", "")
    for end in ("backward", "forward"):
        if name.endswith(end):
            name = name[:-len(end)]
    return name
