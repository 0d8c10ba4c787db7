"""Tells what an object is without running any code of the user's.

Everything goes through the type's own slots: no isinstance (it asks __class__), no hash or
comparison of objects, no attribute lookup on instances. Types are known by their id and kept
alive for the time of one request, so an id cannot come to mean another type.
"""

import collections
import contextvars
import functools
import gc
import sys
import types

from _torchleak import guard

(ATOM, OPAQUE, TENSOR, SEALED, NN_MODULE, OPTIMIZER, DICT, LIST, TUPLE, SET, DEQUE, FUNCTION, METHOD,
 PARTIAL, CACHE, GENERATOR, EXCEPTION, FRAME, CLASS, MODULE, INSTANCE, CONTEXT_VARIABLE) = range(22)

_CHECKPOINTS = frozenset(("Holder", "_Holder", "_CheckpointFrame", "_checkpoint_hook", "_recomputation_hook"))
GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
SIZED = frozenset((DICT, LIST, SET, DEQUE, CACHE))

_MRO = type.__dict__["__mro__"].__get__
_TYPE_DICT = type.__dict__["__dict__"].__get__
_NAME = type.__dict__["__name__"].__get__
_QUALNAME = type.__dict__["__qualname__"].__get__
_MODULE_OF = type.__dict__["__module__"].__get__
_FLAGS = type.__dict__["__flags__"].__get__
_HAVE_GC = 1 << 14
_HEAP_TYPE = 1 << 9

_CACHE_WRAPPER = type(functools.lru_cache()(len))
_EXACT = {
    types.FunctionType: FUNCTION, types.MethodType: METHOD, functools.partial: PARTIAL,
    _CACHE_WRAPPER: CACHE, types.GeneratorType: GENERATOR, types.CoroutineType: GENERATOR,
    types.AsyncGeneratorType: GENERATOR, types.FrameType: FRAME, types.TracebackType: ATOM,
    contextvars.ContextVar: CONTEXT_VARIABLE, types.CodeType: ATOM, types.WrapperDescriptorType: ATOM, types.MethodDescriptorType: ATOM,
    types.GetSetDescriptorType: ATOM, types.MemberDescriptorType: ATOM,
}
_BASES = (
    (type, CLASS), (types.ModuleType, MODULE), (BaseException, EXCEPTION), (dict, DICT), (list, LIST),
    (tuple, TUPLE), (set, SET), (frozenset, SET), (collections.deque, DEQUE),
    (functools.partial, PARTIAL),
)


def type_dict(tp):
    """The type's own attributes, whatever its metaclass says."""
    return _TYPE_DICT(tp)


def bases(tp):
    """The type and all that it derives from."""
    return _MRO(tp)


def derives(tp, base):
    """Whether a type is base or derives from it; types are never compared, only told apart."""
    return any(other is base for other in _MRO(tp))


def type_name(tp):
    """The type's short name."""
    return _NAME(tp)


def type_qualname(tp):
    """The type's qualified name."""
    return _QUALNAME(tp)


def type_module(tp):
    """The name of the module that the type says it is from."""
    name = _MODULE_OF(tp)
    return name if type(name) is str else ""


def is_node(obj):
    """Whether an object is a node of an autograd graph."""
    return any(type(_TYPE_DICT(base).get("next_functions")) is types.GetSetDescriptorType for base in _MRO(type(obj)))


def instance_dict(obj):
    """The instance's attributes as its own dict, or None. Never the user's `__dict__` property."""
    for base in _MRO(type(obj)):
        found = _TYPE_DICT(base).get("__dict__")
        if type(found) is types.GetSetDescriptorType or type(found) is types.MemberDescriptorType:
            attributes = found.__get__(obj)
            return attributes if type(attributes) is dict else None
    return None


def attribute(obj, name):
    """A value of the instance's own dict, None where there is none. None has none either."""
    return (instance_dict(obj) or {}).get(name)


def ndarray():
    """numpy's type of arrays, None where the program has not imported numpy."""
    return attribute(sys.modules.get("numpy"), "ndarray")


def namespace(owner):
    """The dict of a module's names; code that exec() runs may have a dict and no module."""
    return owner if type(owner) is dict else instance_dict(owner)


def slots(obj):
    """(name, value) of each filled slot."""
    for base in _MRO(type(obj)):
        if not _FLAGS(base) & _HEAP_TYPE:
            continue
        for name, member in list(_TYPE_DICT(base).items()):
            if type(member) is types.MemberDescriptorType:
                try:
                    yield name, member.__get__(obj)
                except AttributeError as error:
                    guard.hand_on(error)


def length(obj, kind):
    """How many elements a container of this kind has."""
    if kind == DICT:
        return dict.__len__(obj)
    if kind == LIST:
        return list.__len__(obj)
    if kind == DEQUE:
        return collections.deque.__len__(obj)
    if kind == SET:
        return set.__len__(obj) if derives(type(obj), set) else frozenset.__len__(obj)
    return _CACHE_WRAPPER.cache_info(obj).currsize


def max_length(obj, kind):
    """The bound of a deque or a functools cache, else None."""
    if kind == DEQUE:
        return collections.deque.maxlen.__get__(obj)
    if kind == CACHE:
        return _CACHE_WRAPPER.cache_info(obj).maxsize
    return None


class Kinds:
    """The kinds of all types met in one request."""

    def __init__(self, torch):
        self._known = {}  # id of type -> kind
        self._alive = []
        self._torch_bases = (
            (torch._C._TensorBase, TENSOR), (torch.nn.Module, NN_MODULE),
            (torch.optim.Optimizer, OPTIMIZER), (torch.Size, ATOM),
            (torch.device, ATOM), (torch.dtype, ATOM),
        )
        self._walked = (torch._C._TensorBase, torch.nn.Module, torch.optim.Optimizer,
                        torch.autograd.graph.saved_tensors_hooks)
        self._unsealed = getattr(torch._C, "_disabled_torch_dispatch_impl", None)
        self.tensors = set()
        self.modules = set()
        self.optimizers = set()
        self.hooked = set()  # types that show that saved tensors go through hooks
        self.generators = set(map(id, GENERATORS))

    def of(self, obj):
        """The object's kind."""
        tp = type(obj)
        kind = self._known.get(id(tp))
        return self.learn(tp) if kind is None else kind

    def learn_torch(self):
        """Learns the types of tensors, modules, optimizers and hooks on saved tensors that there are."""
        for base in self._walked:
            for tp in _with_subclasses(base):
                if id(tp) not in self._known:
                    self.learn(tp)
        checkpoint = sys.modules.get("torch.utils.checkpoint")
        for value in list((instance_dict(checkpoint) or {}).values()):
            if type(value) is type and id(value) not in self._known:
                self.learn(value)

    def learn(self, tp):
        """Sorts a type in."""
        kind = self._sort(tp)
        self._known[id(tp)] = kind
        self._alive.append(tp)
        if kind in (TENSOR, SEALED):
            self.tensors.add(id(tp))
        elif kind == NN_MODULE:
            self.modules.add(id(tp))
        elif kind == OPTIMIZER:
            self.optimizers.add(id(tp))
        elif _saves_through_hooks(tp):
            self.hooked.add(id(tp))
        return kind

    def _sort(self, tp):
        for exact, kind in _EXACT.items():
            if tp is exact:
                return kind
        bases = _MRO(tp)
        for wanted, kind in self._torch_bases:
            if derives(tp, wanted):
                return SEALED if kind == TENSOR and self._dispatches(bases) else kind
        for wanted, kind in _BASES:
            if derives(tp, wanted):
                return kind
        if not _FLAGS(tp) & _HAVE_GC or type_module(tp).startswith("_torchleak"):
            return ATOM
        if _FLAGS(tp) & _HEAP_TYPE and any(
                "__dict__" in _TYPE_DICT(base) or "__slots__" in _TYPE_DICT(base) for base in bases):
            return INSTANCE
        return OPAQUE

    def _dispatches(self, bases):
        """Whether reading a tensor of this type may run a `__torch_dispatch__` of Python."""
        for base in bases:
            handler = _TYPE_DICT(base).get("__torch_dispatch__")
            if handler is not None:
                return getattr(handler, "__func__", handler) is not self._unsealed
        return False


def _with_subclasses(base):
    met, stack = {}, [base]
    while stack:
        tp = stack.pop()
        if id(tp) not in met:
            met[id(tp)] = tp
            stack.extend(type.__subclasses__(tp))
    return met.values()


def _saves_through_hooks(tp):
    if type_module(tp) == "torch.utils.checkpoint" and type_name(tp) in _CHECKPOINTS:
        return True
    return any(type_name(base) == "saved_tensors_hooks" for base in _MRO(tp))


class Paused:
    """Holds Python's collector back while evidence is read: a collection that our own short-lived
    objects set off would free what is to be seen, and stop the target for longer than we do."""

    def __enter__(self):
        self._was = gc.isenabled()
        gc.disable()

    def __exit__(self, *_):
        if self._was:
            gc.enable()
