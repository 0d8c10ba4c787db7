"""Searches forward from the user's names: which containers there are and which tensors they lead to."""

import gc
import sys
import time
from collections import Counter, OrderedDict, defaultdict, deque
from itertools import islice

from _torchleak import guard
from _torchleak.evidence import flats
from _torchleak.evidence import kinds as k
from _torchleak.evidence import locals as names
from _torchleak.evidence import paths as p

HEAD, TAIL = 8, 40       # elements of a long container that are looked into
PACKAGES = 0.2           # share of the time for modules of installed packages

# What the standard library keeps for the program, in classes of its own: module, class, attribute.
_REGISTRIES = (("weakref", "finalize", "_registry"),)

_BUILT_IN = frozenset((k.DICT, k.LIST, k.TUPLE, k.SET, k.DEQUE, k.PARTIAL))
_EXACT = frozenset(map(id, (dict, list, tuple, set, frozenset, deque, OrderedDict, defaultdict)))
_WARNED = "__warningregistry__"  # in which warnings keeps every text that a module warned with
_TB = BaseException.__dict__["__traceback__"].__get__
_CONTEXT = BaseException.__dict__["__context__"].__get__
_CAUSE = BaseException.__dict__["__cause__"].__get__
_ARGS = BaseException.__dict__["args"].__get__


class Search:
    """One search. Keeps the objects it met alive: drop it before the target goes on."""

    def __init__(self, kinds, reader, paths, ctx, loaded):
        self._kinds = kinds
        self._reader = reader
        self._paths = paths
        self._ctx = ctx
        self._queue = deque()
        self._seen = set()
        self._temporary = []
        self._loaded = loaded
        self._user_modules = {}
        self._flat = flats.Flats()
        self._imported = set()  # packages that the user's modules name
        self.lengths = {}    # path -> (length, id of the type, id of the object)
        self.objects = {}    # path -> object
        self.tensors = {}    # id of tensor -> path
        self.slots = {}      # path -> tensor
        self.flats = {}      # path -> Flat
        self.bounds = {}     # path -> the most entries that a container can come to have as things stand
        self.truncated = False

    def run(self, optimizers, iterators, seconds):
        """Searches for about so many seconds, what the user wrote himself first, what has no name of his after that."""
        deadline = time.thread_time() + seconds
        packages = self._user_roots()
        self._global_hooks()
        self._registries()
        self._drain(deadline)
        self._loops(iterators)
        self._drain(deadline)
        self.truncated = bool(self._queue)
        self._unnamed(optimizers, seconds * PACKAGES)
        # What installed packages keep in their modules comes last, in a part of the time.
        deadline = min(deadline, time.thread_time() + seconds * PACKAGES)
        for name, module in packages:
            self._module(name, module)
        self._drain(deadline)
        self._queue.clear()

    def _unnamed(self, optimizers, seconds):
        """Searches the optimizers that no name has led to: one that is kept, as by each trial of a search, is the keeper's."""
        later, self._queue = self._queue, deque()
        for optimizer in optimizers:
            self._visit(optimizer, 0, p.OPTIMIZER_ROOT, "")
        self._drain(time.thread_time() + seconds)
        self._queue = later

    def _user_roots(self):
        users, packages = self._loaded.sorted()
        self._user_modules = dict(users)
        for name, module in users:
            self._module(name, module)
        # The user's functions first, then those of packages, as a trainer's that keeps what it was returned.
        for is_wanted in (self._ctx.is_user_file, self._ctx.is_package_file):
            for frame in names.frames_of_threads(is_wanted):
                for table in names.namespaces(frame) if is_wanted == self._ctx.is_user_file else ():
                    self._names(self._named_by_exec(table), table, table)
                self._frame(frame, 0, p.FRAME)
        return [(name, module) for name, module in packages
                if name.startswith("torch.") or name.partition(".")[0] in self._imported]

    def _note_import(self, value, kind):
        name = None
        if kind == k.MODULE:
            name = k.attribute(value, "__name__")
        elif kind == k.CLASS:
            name = k.type_module(value)
        elif kind == k.FUNCTION:
            name = value.__module__
        if type(name) is str:
            self._imported.add(name.partition(".")[0])

    def _module(self, name, module):
        attributes = k.instance_dict(module)
        if attributes is not None:
            self._names(name, module, attributes)

    def _named_by_exec(self, table):
        """What to call the names of code that runs in a dict and in no module: exec() was given it."""
        name = table.get("__name__")
        return "%s (exec)" % (name if type(name) is str else "code")

    def _names(self, name, owner, attributes):
        if id(attributes) in self._seen:
            return
        self._seen.add(id(attributes))
        root = self._paths.number(0, p.MODULE, name)
        self.objects[root] = owner
        self._sized(root, attributes, k.DICT)
        for key, value in list(attributes.items()):
            if type(key) is str and (not key.startswith("__") or key == _WARNED):
                if name in self._user_modules:
                    self._note_import(value, self._kinds.of(value))
                self._visit(value, root, p.GLOBAL, key)

    def _frame(self, frame, parent, edge):
        code = frame.f_code
        if id(frame) in self._seen or code.co_filename.startswith("<frozen"):
            return
        self._seen.add(id(frame))
        self._temporary.append(frame)
        path = self._paths.number(parent, edge, names.qualified_name(code))
        self.objects[path] = frame
        borrowed = names.borrowed(code)
        for name, value in names.read(frame):
            if name not in borrowed:
                self._visit(value, path, p.LOCAL, name)

    def _global_hooks(self):
        module = sys.modules.get("torch.nn.modules.module")
        for name, table in list((k.instance_dict(module) or {}).items()):
            if name.startswith("_global_") and self._kinds.of(table) == k.DICT:
                root = self._paths.number(0, p.TORCH_HOOKS, name)
                self.objects[root] = module
                self._hook_table(table, root, name)

    def _registries(self):
        for name, cls_name, attribute in _REGISTRIES:
            module = sys.modules.get(name)
            cls = k.attribute(module, cls_name)
            table = k.type_dict(cls).get(attribute) if self._kinds.of(cls) == k.CLASS else None
            if table is not None:
                root = self._paths.number(0, p.MODULE, name)
                owner = self._paths.number(root, p.GLOBAL, cls_name)
                self.objects[root], self.objects[owner] = module, cls
                self._visit(table, owner, p.CLASS_ATTRIBUTE, attribute)

    def _loops(self, iterators):
        """Iterators that no name leads to: a loop asks them for the next element, and only its frame knows them. Of
        several alike it could not be told from census to census which is which."""
        nameless = [(names.waiting(obj), obj) for obj in iterators if id(obj) not in self._seen]
        frames = [frame for frame, _ in nameless if frame is not None and id(frame) not in self._seen
                  and self._ctx.is_user_file(frame.f_code.co_filename)]
        alike = Counter(id(frame.f_code) for frame in frames)
        for frame in frames:
            if alike[id(frame.f_code)] == 1:
                self._frame(frame, 0, p.LOOP)
        others = [obj for frame, obj in nameless if frame is None and self._kinds.of(obj) == k.INSTANCE]
        alike = Counter(map(id, map(type, others)))
        for obj in others:
            if alike[id(type(obj))] == 1:
                self._visit(obj, 0, p.LOOP, _called(type(obj)))

    def _drain(self, deadline):
        queue, count = self._queue, 0
        expand = self._EXPAND
        while queue:
            count += 1
            if count & 127 == 0 and time.thread_time() > deadline:
                return
            obj, path, kind = queue.popleft()
            try:
                expand[kind](self, obj, path)
                if kind in _BUILT_IN and id(type(obj)) not in _EXACT:
                    self._attributes(k.instance_dict(obj), path)
            except RuntimeError as error:
                guard.hand_on(error)  # else changed by another thread while it was looked at

    def _visit(self, obj, parent, edge, name):
        kind = self._kinds.of(obj)
        if kind == k.ATOM or kind == k.MODULE:
            if id(type(obj)) in self._flat.types:
                self._flat_value(obj, parent, edge, name)
            return
        if kind == k.TENSOR or kind == k.SEALED:
            self._tensor(obj, self._paths.number(parent, edge, name))
            return
        if id(obj) in self._seen:
            return
        self._seen.add(id(obj))
        path = self._paths.number(parent, edge, name)
        self.objects[path] = obj
        if kind in k.SIZED:
            self._sized(path, obj, kind)
        self._queue.append((obj, path, kind))

    def _flat_value(self, value, parent, edge, name):
        found = self._flat.read(value) if id(value) not in self._seen else None
        if found is not None:
            self._seen.add(id(value))
            self.flats[self._paths.number(parent, edge, name)] = found

    def _sized(self, path, obj, kind):
        self.lengths[path] = (k.length(obj, kind), id(type(obj)), id(obj))

    def _tensor(self, tensor, path):
        self.tensors.setdefault(id(tensor), path)
        if path not in self.slots:
            self.slots[path] = tensor
        if id(tensor) in self._seen:
            return
        self._seen.add(id(tensor))
        if self._kinds.of(tensor) == k.SEALED:
            return
        gradient = self._reader.grad(tensor)
        if gradient is not None:
            self.tensors.setdefault(id(gradient), self._paths.number(path, p.ATTRIBUTE, "grad"))
        hooks = self._reader.get_hooks(tensor)
        for inner in self._tables_of(tensor, hooks):
            if self._kinds.of(inner) == k.DICT and dict.__len__(inner):
                if inner is hooks:
                    self._hook_table(inner, path, "_backward_hooks")
                else:
                    self._attributes(inner, path)

    def _tables_of(self, tensor, hooks):
        """A tensor's own attributes and hooks. Older releases do not show those of a leaf that C++ holds too; of
        other tensors they are not asked for, since asking makes each one an empty dict. In Python 3.14 those that
        nobody has asked for lie in the tensor itself, and what is shown are their values."""
        shown = gc.get_referents(tensor)
        if any(inner is not type(tensor) and self._kinds.of(inner) != k.DICT for inner in shown):
            return [*shown, k.instance_dict(tensor)]
        if shown or not self._reader.get_requires_grad(tensor) or self._reader.grad_fn(tensor) is not None:
            return shown
        return [k.instance_dict(tensor), hooks]

    def _elements(self, elements, path, edge):
        for name, value in elements:
            self._visit(value, path, edge, name)

    def _dict(self, table, path):
        size = dict.__len__(table)
        entries = list(islice(dict.items(table), HEAD + TAIL if size <= HEAD + TAIL else HEAD))
        if size > HEAD + TAIL:
            entries += list(islice(reversed(dict.items(table)), TAIL))
        for key, value in entries:
            name = key if type(key) is str or type(key) is int else "…"
            self._visit(value, path, p.KEY, name)
            if name == "…":
                self._visit(key, path, p.OTHER, "key")

    def _list(self, items, path):
        size = list.__len__(items)
        get = list.__getitem__
        if size <= HEAD + TAIL:
            indexes = range(size)
        else:
            indexes = list(range(HEAD)) + list(range(size - TAIL, size))
        for index in indexes:
            try:
                self._visit(get(items, index), path, p.INDEX, index)
            except IndexError as error:
                guard.hand_on(error)
                return  # shrunk meanwhile

    def _tuple(self, items, path):
        self._elements(enumerate(tuple.__getitem__(items, slice(0, HEAD + TAIL))), path, p.INDEX)

    def _set(self, items, path):
        iterate = set.__iter__ if k.derives(type(items), set) else frozenset.__iter__
        for item in list(islice(iterate(items), HEAD + TAIL)):
            self._visit(item, path, p.INDEX, "…")

    def _deque(self, items, path):
        size = deque.__len__(items)
        newest = list(islice(deque.__reversed__(items), TAIL))
        for offset, item in enumerate(newest):
            self._visit(item, path, p.INDEX, size - 1 - offset)

    def _function(self, function, path):
        code = function.__code__
        if guard.OWN in code.co_filename:
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                self._visit(cell.cell_contents, path, p.CLOSURE, name)
            except ValueError as error:
                guard.hand_on(error)  # else not filled yet
        defaults = function.__defaults__ or ()
        arguments = code.co_varnames[:code.co_argcount]
        for name, value in zip(arguments[len(arguments) - len(defaults):], defaults):
            self._visit(value, path, p.DEFAULT, name)
        for name, value in list((function.__kwdefaults__ or {}).items()):
            self._visit(value, path, p.DEFAULT, name)
        self._attributes(function.__dict__, path)

    def _method(self, method, path):
        self._visit(method.__self__, path, p.SELF, "")
        self._visit(method.__func__, path, p.SELF, "")

    def _partial(self, partial, path):
        for inner in gc.get_referents(partial):
            self._visit(inner, path, p.SELF, "")

    def _context_variable(self, variable, path):
        """Its value in the context of the thread that asks, which is the training's."""
        self._visit(variable.get(None), path, p.SELF, "")

    def _cache(self, cache, path):
        inner = gc.get_referents(cache)
        for value in inner[:HEAD] + inner[HEAD:][-2 * TAIL:]:
            kind = self._kinds.of(value)
            if kind == k.DICT and type(value) is dict:
                for key, result in list(islice(reversed(dict.items(value)), TAIL)):
                    self._visit(key, path, p.CACHED, "")
                    self._visit(result, path, p.CACHED, "")
            elif kind == k.FUNCTION:
                self._visit(value, path, p.SELF, "")
            elif kind != k.CLASS:
                self._visit(value, path, p.CACHED, "")

    def _generator(self, generator, path):
        frame = names.waiting(generator)
        if frame is not None:
            self._frame(frame, path, p.GENERATOR)

    def _exception(self, exception, path):
        traceback = _TB(exception)
        while traceback is not None:
            self._frame(traceback.tb_frame, path, p.TRACEBACK)
            traceback = traceback.tb_next
        self._visit(_ARGS(exception), path, p.ATTRIBUTE, "args")
        self._visit(_CONTEXT(exception), path, p.ATTRIBUTE, "__context__")
        self._visit(_CAUSE(exception), path, p.ATTRIBUTE, "__cause__")
        self._attributes(k.instance_dict(exception), path)

    def _class(self, cls, path):
        users = k.type_module(cls) in self._user_modules
        for name, value in list(k.type_dict(cls).items()):
            if not users and (name.startswith("__") or self._kinds.of(value) not in k.SIZED):
                continue  # of a package's class, what may be kept in it
            if type(value) is staticmethod or type(value) is classmethod:
                value = value.__func__
            parts = (value.fget, value.fset) if type(value) is property else (value,)
            for part in parts:
                self._visit(part, path, p.CLASS_ATTRIBUTE, name)

    def _attributes(self, attributes, path):
        if not attributes:
            return
        for name, value in list(islice(attributes.items(), 4 * TAIL)):
            self._visit(value, path, p.ATTRIBUTE, name)

    def _instance(self, obj, path):
        attributes = k.instance_dict(obj)
        if attributes:
            self._sized(self._paths.number(path, p.NAMES, ""), attributes, k.DICT)
            self.objects[self._paths.number(path, p.NAMES, "")] = attributes
            self._attributes(attributes, path)
        for name, value in k.slots(obj):
            self._visit(value, path, p.ATTRIBUTE, name)
        self._visit(type(obj), path, p.OTHER, "class")

    def _optimizer(self, optimizer, path):
        """Its parameters belong to its groups: as keys of its state they are met in passing."""
        attributes = dict(k.instance_dict(optimizer) or {})
        state = attributes.pop("state", None)
        if self._kinds.of(state) == k.DICT and id(state) not in self._seen:
            self._seen.add(id(state))
            at = self._paths.number(path, p.ATTRIBUTE, "state")
            self.objects[at] = state
            self._sized(at, state, k.DICT)
            self.bounds[at] = _parameters(attributes.get("param_groups"))
            for entry in list(islice(reversed(dict.values(state)), TAIL)):
                self._visit(entry, at, p.KEY, "…")
        self._attributes(attributes, path)
        self._visit(type(optimizer), path, p.OTHER, "class")

    def _nn_module(self, module, path):
        attributes = k.instance_dict(module) or {}
        for name, value in list(attributes.items()):
            if name in ("_parameters", "_buffers", "_modules") and self._kinds.of(value) == k.DICT:
                table = self._paths.number(path, p.TABLE, name)
                self.objects[table] = value
                self._sized(table, value, k.DICT)
                for key, child in list(dict.items(value)):
                    self._visit(child, path, p.ATTRIBUTE, key)
            elif name.startswith("_") and name.endswith("_hooks") and self._kinds.of(value) == k.DICT:
                if dict.__len__(value):
                    self._hook_table(value, path, name)
            else:
                self._visit(value, path, p.ATTRIBUTE, name)
        self._visit(type(module), path, p.OTHER, "class")

    def _hook_table(self, table, owner, name):
        path = self._paths.number(owner, p.TABLE, name)
        self.objects[path] = table
        self._sized(path, table, k.DICT)
        for key, hook in list(islice(reversed(dict.items(table)), TAIL)):
            self._visit(hook, path, p.HOOK, key if type(key) is int else "…")

    def _opaque(self, obj, path):
        for inner in gc.get_referents(obj)[:HEAD + TAIL]:
            if self._kinds.of(inner) not in (k.FRAME, k.CLASS):
                self._visit(inner, path, p.OTHER, "")

    def _kept_frame(self, frame, path):
        for name, value in names.read(frame):
            self._visit(value, path, p.LOCAL, name)

    _EXPAND = {
        k.DICT: _dict, k.LIST: _list, k.TUPLE: _tuple, k.SET: _set, k.DEQUE: _deque, k.FUNCTION: _function,
        k.METHOD: _method, k.PARTIAL: _partial, k.CACHE: _cache, k.GENERATOR: _generator,
        k.EXCEPTION: _exception, k.FRAME: _kept_frame, k.CLASS: _class, k.NN_MODULE: _nn_module,
        k.OPTIMIZER: _optimizer, k.INSTANCE: _instance, k.OPAQUE: _opaque,
        k.CONTEXT_VARIABLE: _context_variable,
    }


def _called(iterator):
    """What to call an iterator of this type: torch's own goes by what the program asked for."""
    return "DataLoader" if k.type_module(iterator) == "torch.utils.data.dataloader" else k.type_qualname(iterator)


def _parameters(groups):
    """How many parameters an optimizer has: its state comes to have an entry for each, some later than others."""
    groups = groups if type(groups) is list else ()
    listed = [group.get("params") for group in groups if type(group) is dict]
    return sum(len(params) for params in listed if type(params) is list)
