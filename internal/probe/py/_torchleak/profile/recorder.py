"""Writes down what every operator of some steps does to the memory of tensors.

A TorchDispatchMode sees each operator below autograd, with the tensors it takes and gives. A storage is known by a weak
reference of torch's own, which keeps no memory alive; which of them have died is asked before each operator.
"""

import os
import sys
import time
from itertools import compress

from _torchleak import guard
from _torchleak.evidence import kinds as k
from _torchleak.evidence.tensors import Reader
from _torchleak.phases import BACKWARD, DATA, EVALUATION, FORWARD, OPTIMIZER, REST
from _torchleak.profile.callers import Callers, Modules
from _torchleak.profile.columns import Columns, Numbering
from _torchleak.profile.history import History
from _torchleak.profile.mode import make_mode
from _torchleak.profile.owners import Owners
from _torchleak.profile.ties import make_ties
from _torchleak.tap import Tap

PHASES = (REST, DATA, FORWARD, BACKWARD, OPTIMIZER, EVALUATION)
_BY_FORWARD, _BY_BACKWARD = 1, 2
_NUMBER_OF = {phase: number for number, phase in enumerate(PHASES)}


class Recorder:
    """begin(), step() at each step's end, end()."""

    def __init__(self, ctx, step):
        self._ctx = ctx
        self._torch = torch = ctx.torch
        self._first_step = step
        self._pid = os.getpid()
        self._kinds = k.Kinds(torch)
        self._reader = Reader(torch)
        self._callers = Callers(ctx.files)
        self._modules = Modules(self._kinds)
        self._owners = Owners(ctx, self._kinds, self._reader, self._modules)
        self._history = History(ctx)
        self._mode = make_mode(self)
        self._aside = Tap(torch.Tensor, "as_subclass", self._set_aside)
        self._expired = torch.UntypedStorage._expired
        self._free = torch.UntypedStorage._free_weak_ref
        self._types = {}  # type -> whether it is a tensor's
        self._names = {}  # id of operator -> (operator, its number)
        self._operators, self._memories = Numbering(), Numbering()
        self._started = 0
        self._on = False
        self.ops = Columns("operator", "stack", "module", "phase", "tracked", "tie", "begin_ns", "end_ns")
        self._ties = make_ties(torch, self.ops, lambda op: self._operators.values[self.ops.operator[op]])
        self._storages = Columns("memory", "bytes", "born", "seen", "address", "used", "last")
        self._owned = {}   # number of storage -> [category, name]
        self._events = Columns("op", "storage", "bytes")
        self._watched = {} # weak reference -> number of storage: of those whose end has to be found out
        self._held = {}    # the same of those whose end the device's allocator tells
        self._ends = []    # how many operators there were at the end of each step

    def begin(self):
        """Takes stock, and begins to look at operators."""
        self._history.begin()
        self._take_stock()
        self._ctx.phases.enable("")
        self._modules.begin()
        self._ties.begin()
        self._started = time.perf_counter_ns()
        self._on = True
        if not hasattr(self._torch._C, "_current_autograd_node"):
            self._aside.apply()
        self._mode.__enter__()

    def step(self):
        """A step has ended: what its tensors have become is known now."""
        self._sweep()
        self._take_stock()
        self._ends.append(len(self.ops))

    def end(self, complete):
        """Stops and writes the file. A mode that others stand on stays, and lets everything pass."""
        snapshot = self._history.end()
        self.abandon()
        self._ctx.write_profile(self._plain(complete, snapshot))

    def abandon(self):
        """Puts everything back."""
        self._on = False
        if self._mode.on_top():
            self._mode.__exit__(None, None, None)
        self._aside.remove()
        self._ties.end()
        self._modules.end()
        self._ctx.phases.disable()
        self._history.drop()
        for table in (self._watched, self._held):
            for weak in table:
                self._free(weak)
            table.clear()

    def sees(self):
        """Whether to look at operators: not in a forked child."""
        return self._on and os.getpid() == self._pid

    @guard.guarded
    def before(self, func, args, kwargs, frame):
        """An operator begins; its number."""
        ops = self.ops
        op = len(ops)
        self._sweep()
        phase = _NUMBER_OF[BACKWARD] if self._ties.in_backward() or _seeds(frame) else self._phase()
        module = self._modules.current()
        with self._reader.quiet():
            tensors = list(self._tensors(args)) + list(self._tensors(kwargs.values()))
            tracked = self._torch.is_grad_enabled() and any(map(self._reader.get_requires_grad, tensors))
            used = _BY_BACKWARD if phase == _NUMBER_OF[BACKWARD] else 0
            if not used and phase != _NUMBER_OF[OPTIMIZER] and (tracked or module >= 0):
                used = _BY_FORWARD
            for tensor in tensors:
                storage = self._storage(tensor, -1)
                if storage >= 0:
                    self._storages.used[storage] |= used
                    self._storages.last[storage] = op
        ops.append(self._operator(func), self._callers.stack(frame), module, phase, int(tracked), self._ties.of(op, tracked),
                   time.perf_counter_ns() - self._started, 0)
        return op

    @guard.guarded
    def after(self, op, result):
        """The same operator has ended."""
        self.ops.end_ns[op] = time.perf_counter_ns() - self._started
        with self._reader.quiet():
            for tensor in self._tensors((result,)):
                self._storage(tensor, op)

    def call(self, op, func, args, kwargs):
        """Calls the operator, so that the device's allocator writes its number down with what it allocates."""
        return self._history.call(op, func, args, kwargs)

    def _set_aside(self, tensor, frame):
        """Before 2.1 a tensor that has been through a mode cannot be made one of another class."""
        if not self._mode.on_top():
            return None
        self._mode.__exit__(None, None, None)
        return self._mode.__enter__

    def _phase(self):
        return _NUMBER_OF.get(self._ctx.phases.current(), 0)

    def _operator(self, func):
        known = self._names.get(id(func))
        if known is None:
            name = str(func).rpartition(".")[0] or str(func)
            known = self._names[id(func)] = (func, self._operators.of(name.replace(".", "::", 1), str))
        return known[1]

    def _tensors(self, values):
        for value in values:
            tp = type(value)
            known = self._types.get(tp)
            if known is None:
                known = self._types[tp] = k.derives(tp, self._torch._C._TensorBase)
            if known:
                yield value
            elif tp is list or tp is tuple:
                yield from self._tensors(value)

    def _storage(self, tensor, op):
        """The number of a tensor's storage; a new one was made by this operator, -1 for none that is known."""
        try:
            storage = self._reader.get_storage(tensor)
            key = storage._cdata
            size = storage.nbytes()
        except (RuntimeError, NotImplementedError, AttributeError) as error:
            guard.hand_on(error)
            return -1  # sparse and the like have no one storage
        number = self._watched.get(key)
        if number is not None:
            if self._storages.bytes[number] != size:
                self._storages.bytes[number] = size
                self._event(number, size)
            return number
        number = self._held.get(key)
        return self._enter(tensor, storage, size, op) if number is None else number

    def _enter(self, tensor, storage, size, op):
        device = self._reader.device(tensor)
        if device in ("", "meta"):
            return -1
        columns = self._storages
        number = len(columns)
        held = self._history.covers(device)
        columns.append(self._memories.of("host" if device == "cpu" else device, str), size, op, len(self.ops),
                       storage.data_ptr() if held else 0, 0, -1)
        if held:
            self._held[storage._weak_ref()] = number
        else:
            self._watched[storage._weak_ref()] = number
            self._event(number, size)
        return number

    def _event(self, storage, size):
        self._events.append(len(self.ops), storage, size)

    def _sweep(self):
        """Notes which storages have died since."""
        watched = self._watched
        for weak in list(compress(watched, map(self._expired, watched))):
            self._event(watched.pop(weak), 0)
            self._free(weak)

    def _take_stock(self):
        """Enters what is there and not known yet, and whose it is."""
        for tensor, category, name in self._owners.look():
            if self._kinds.of(tensor) == k.TENSOR:
                storage = self._storage(tensor, -1)
                if category and storage >= 0:
                    self._owned.setdefault(storage, [category, name])

    def _plain(self, complete, snapshot):
        note = self._ctx.note
        compiled = _compiles()
        if compiled:
            note("what compiled code allocates inside is not seen on the host, and only as a whole on devices")
        value = {
            "profile": 1, "pid": self._pid, "complete": complete, "compiled": compiled, "first_step": self._first_step + 1,
            "step_ends": self._ends, "ops": self.ops.plain(), "operators": self._operators.values,
            "modules": self._modules.plain(), "phases": list(PHASES),
            "memories": [{"name": name, "snapshot": snapshot if self._history.covers(name) else ""}
                         for name in self._memories.values],
            "storages": self._storages.plain(), "events": self._events.plain(),
            "owned": [[storage] + owner for storage, owner in self._owned.items()],
            "notes": self._ctx.notes,
        }
        value.update(self._callers.plain())
        return value


def _seeds(frame):
    """Whether torch makes the gradient that a backward begins with."""
    if frame is not None and frame.f_globals.get("__name__") == "torch.utils._python_dispatch":
        frame = frame.f_back  # before 2.0 it stands between a mode and what it is told of
    return frame is not None and frame.f_globals.get("__name__") == "torch.autograd"


def _compiles():
    """Whether torch's compiler has compiled anything."""
    counters = k.attribute(sys.modules.get("torch._dynamo.utils"), "counters")
    return isinstance(counters, dict) and bool(counters.get("frames"))
