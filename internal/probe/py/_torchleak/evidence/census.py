"""One walk over the target's objects: its tensors, sorted into groups of like ones."""

import gc
import time
from collections import namedtuple
from itertools import compress

from _torchleak import guard
from _torchleak.evidence import kinds as k
from _torchleak.evidence import tables

# What tensors alike have in common: the key of their group.
Key = namedtuple("Key", "category device shape dtype type requires_grad grad_fn")
_LEAST_SECONDS = 0.03  # for reading tensors, however long the walk took
_DEEPEST = 64  # modules may contain each other


class Group:
    """Tensors alike, at one census. Only identities are kept, never the tensors."""

    __slots__ = ("ids", "storages", "tensor_bytes")

    def __init__(self):
        self.ids = []
        self.storages = {}  # identity -> bytes
        self.tensor_bytes = 0

    @property
    def bytes(self):
        """Bytes of the storages, each counted once."""
        return sum(self.storages.values())

    def add(self, other):
        """Takes in another group's members."""
        self.ids.extend(other.ids)
        self.storages.update(other.storages)
        self.tensor_bytes += other.tensor_bytes


class Census:
    """What one walk found. `tensors` is emptied by release(): it must not outlive the stop."""

    def __init__(self, step):
        self.step = step
        self.objects = 0
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.groups = {}    # Key -> Group
        self.tensors = []
        self.modules = []
        self.optimizers = []
        self.iterators = []  # generators, and iterators of the user's classes
        self.leaves = {}    # id of gradient -> the tensor it belongs to
        self.owners = {}    # id of a module's tensor or child -> the module
        self.owned = {}     # id of tensor -> category
        self.saved_hooks = False
        self.partial = False  # there was no time for all tensors: their numbers say nothing

    @property
    def tensor_count(self):
        """How many tensors were read."""
        return sum(len(group.ids) for group in self.groups.values())

    @property
    def tensor_bytes(self):
        """Bytes of all storages met, each counted once."""
        storages = {}
        for group in self.groups.values():
            storages.update(group.storages)
        return sum(storages.values())

    def outermost(self, tensor):
        """The outermost module that a gradient, parameter or buffer belongs to; the tensor itself without one."""
        found = self.leaves.get(id(tensor), tensor)
        for _ in range(_DEEPEST):
            if id(found) not in self.owners:
                break
            found = self.owners[id(found)]
        return found

    def release(self):
        """Lets go of the target's objects."""
        self.tensors, self.modules, self.optimizers, self.iterators, self.leaves, self.owners = [], [], [], [], {}, {}


def take(step, kinds, reader, optimizers, seconds, iterators=frozenset()):
    """Walks all objects the collector knows and reads the tensors, for about so many seconds. iterators are the ids
    of further types whose objects are wanted."""
    started, cpu = time.perf_counter(), time.thread_time()
    census = Census(step)
    find(census, kinds, optimizers, iterators)
    with reader.quiet():
        census.owned = _owned(census, kinds, reader)
        left = max(_LEAST_SECONDS, seconds - (time.thread_time() - cpu))
        _sort(census, kinds, reader, time.thread_time() + left)
    census.cpu_seconds = time.thread_time() - cpu
    census.seconds = time.perf_counter() - started
    return census


def find(census, kinds, optimizers, iterators=frozenset()):
    """One pass over all objects, in C but for those that are wanted. Optimizers can hide from it (gc.freeze): those that
    stepped are known anyway."""
    kinds.learn_torch()
    wanted = kinds.tensors | kinds.modules | kinds.optimizers | kinds.hooked | kinds.generators | iterators
    objects = gc.get_objects()
    census.objects = len(objects)
    found = list(compress(objects, map(wanted.__contains__, map(id, map(type, objects)))))
    del objects
    for obj in found:
        type_id = id(type(obj))
        if type_id in kinds.tensors:
            census.tensors.append(obj)
        elif type_id in kinds.modules:
            census.modules.append(obj)
        elif type_id in kinds.optimizers:
            census.optimizers.append(obj)
        elif type_id in kinds.generators or type_id in iterators:
            census.iterators.append(obj)
        else:
            census.saved_hooks = True
    met = set(map(id, census.optimizers))
    census.optimizers.extend(o for o in optimizers if id(o) not in met)


def _owned(census, kinds, reader):
    """Parameters, gradients, buffers and optimizer state, by the id of the tensor."""
    owned, parameters = {}, []
    for module in census.modules:
        census.owners.update((id(child), module) for _, child in tables.children(module, kinds))
        for table, category in (("_parameters", "parameter"), ("_buffers", "buffer")):
            for _, tensor in tables.tensors(module, table, kinds):
                owned[id(tensor)] = category
                census.owners[id(tensor)] = module
                if category == "parameter":
                    parameters.append(tensor)
    for optimizer in census.optimizers:
        for tensor in tables.optimized(optimizer, kinds):
            if id(tensor) not in owned:
                owned[id(tensor)] = "parameter"
                parameters.append(tensor)
        for _, tensor in tables.state(optimizer, kinds):
            owned.setdefault(id(tensor), "optimizer state")
    # Leaves that are no parameters have gradients too.
    for tensor in parameters + census.tensors:
        gradient = reader.grad(tensor) if kinds.of(tensor) == k.TENSOR else None
        if gradient is not None:
            owned.setdefault(id(gradient), "gradient")
            census.leaves[id(gradient)] = tensor
    return owned


def _sort(census, kinds, reader, deadline):
    owned, groups = census.owned, census.groups
    for number, tensor in enumerate(reversed(census.tensors)):  # the youngest first
        if number & 255 == 255 and time.thread_time() > deadline:
            census.partial = True
            break
        key, facts = _read(tensor, kinds, reader, owned)
        group = groups.get(key)
        if group is None:
            group = groups[Key(*key)] = Group()
        group.ids.append(id(tensor))
        if facts is not None:
            storage, size, own = facts
            group.storages[storage] = size
            group.tensor_bytes += own


def key_of(tensor, kinds, reader, owned):
    """The Key of the tensor's group."""
    return Key(*_read(tensor, kinds, reader, owned)[0])


def _read(tensor, kinds, reader, owned):
    """(the values of the tensor's Key, (storage, its bytes, the tensor's bytes) or None). Plain tuples are made faster,
    and are as good to look a group up by."""
    tp = type(tensor)
    category = owned.get(id(tensor), "")
    if kinds.of(tensor) == k.SEALED:
        return (category, "", (), "", k.type_name(tp), False, ""), None
    requires_grad = reader.get_requires_grad(tensor)
    node = reader.grad_fn(tensor) if requires_grad else None
    try:
        shape = tuple(reader.get_shape(tensor))
    except (RuntimeError, NotImplementedError) as error:
        guard.hand_on(error)
        shape = ()  # nested and symbolic shapes
    key = (category, reader.device(tensor), shape, reader.dtype(tensor), k.type_name(tp), requires_grad,
           k.type_name(type(node)) if node is not None else "")
    try:
        own = reader.size(tensor)
    except (RuntimeError, NotImplementedError) as error:
        guard.hand_on(error)
        own = 0
    storage, size = reader.storage(tensor)
    return key, (storage, size, own)
