"""Where survivors are made: the user's line after which a tensor first stood in a name or was returned."""

from _torchleak.evidence import holders
from _torchleak.evidence import kinds as k
from _torchleak.evidence import locals as names

_FRAMES = 6
_MOST = 20000


class Births:
    """Tensors seen coming up while lines are followed, kept as identities only."""

    def __init__(self, ctx, kinds, reader, keys):
        self._ctx = ctx
        self._kinds = kinds
        self._reader = reader
        self._numbers = {_looks(key): number for number, key in reversed(list(enumerate(keys)))}
        self._before = {} # (frame, name) -> id of the tensor it had when the watch began
        self._awaited = {} # (frame, name) -> number of the group: what it had was kept, what it gets next will be
        self._made = {}   # id of tensor -> (what it looks like, frames)
        self._found = {}

    def begin(self, frame):
        """Takes note of what a frame's names hold already: it is not born now."""
        for name, value in names.read(frame) or _namespace(frame):
            if id(type(value)) in self._kinds.tensors:
                self._before[id(frame), name] = id(value)

    def observe(self, frame, at, returned):
        """Looks for new tensors among a frame's names and in what it returns."""
        if not self._numbers or len(self._made) > _MOST:
            return
        with self._reader.quiet():
            for name, value in list(frame.f_locals.items()):
                if id(type(value)) not in self._kinds.tensors:
                    continue
                if self._before.get((id(frame), name)) == id(value):
                    continue
                self._before.pop((id(frame), name), None)
                self._see(value, at)
                if self._awaited.pop((id(frame), name), None) is not None:
                    self._keep(value)
            for value in self._inside(returned, 2):
                self._see(value, at)

    def _see(self, tensor, at):
        if self._kinds.of(tensor) != k.TENSOR or at is None:
            return
        look = self._look(tensor)
        if look is None:
            return
        known = self._made.get(id(tensor))
        if known is not None and known[0] == look:
            return
        frame, line = at
        frames = self._ctx.user_frames(frame, _FRAMES)
        if frames and self._ctx.is_user_file(frame.f_code.co_filename):
            frames[0]["line"] = line
        self._made[id(tensor)] = (look, frames)

    def _look(self, tensor):
        """What tells the tensor from another at the same place; None when no grown group is like it."""
        reader = self._reader
        node = reader.grad_fn(tensor)
        name = k.type_name(type(node)) if node is not None else ""
        key = (tuple(reader.get_shape(tensor)), reader.dtype(tensor), name)
        return key + (reader.pointer(tensor),) if key in self._numbers else None

    def kept(self, target, frame, frames):
        """A holder was written: its newest tensor is a survivor, and where it came from is now known."""
        value = target.value(frame)
        found = [value] if self._kinds.of(value) == k.TENSOR else holders.newest(value, self._kinds, 1)
        for item in found:
            for tensor in self._inside(item, 2):
                self._keep(tensor)

    def _keep(self, tensor):
        with self._reader.quiet():
            look = self._look(tensor)
        known = self._made.get(id(tensor))
        if look is not None and known is None:
            self._await(tensor, look)
        if look is None or known is None or known[0] != look or not known[1]:
            return
        number, operator = self._numbers[look[:3]], look[2]
        key = (number,) + tuple((f["file"], f["line"]) for f in known[1][:2])
        entry = self._found.setdefault(key, {
            "group": number, "frames": known[1], "count": 0, "operator": _operator(operator)})
        entry["count"] += 1

    def _await(self, tensor, look):
        """It was made before the watch began: the next one in the same name comes from the same line."""
        for at, tensor_id in self._before.items():
            if tensor_id == id(tensor):
                self._awaited[at] = self._numbers[look[:3]]

    def _inside(self, item, depth):
        kind = self._kinds.of(item)
        if kind == k.TENSOR:
            yield item
        elif depth:
            inner = ()
            if kind == k.DICT:
                inner = list(dict.values(item))
            elif kind == k.TUPLE:
                inner = list(tuple.__iter__(item))
            elif kind == k.LIST:
                inner = list(list.__iter__(item))
            for value in inner[:16]:
                yield from self._inside(value, depth - 1)

    def entries(self):
        """What was found, the commonest first."""
        return sorted(self._found.values(), key=lambda entry: -entry["count"])


def _namespace(frame):
    """The names of a module or a class body: a dict of its own, which asking does not make."""
    return [] if frame.f_code.co_flags & names.OPTIMIZED else list(frame.f_locals.items())


def _looks(key):
    return key.shape, key.dtype, key.grad_fn


def _operator(grad_fn):
    name = grad_fn.rstrip("0123456789")
    name = name[:-len("Backward")] if name.endswith("Backward") else name
    return "".join(("_" if c.isupper() and i else "") + c.lower() for i, c in enumerate(name))
