"""Ways to look at a holder again and again, cheaply, without keeping what it holds alive."""

from _torchleak import guard
from _torchleak.evidence import flats
from _torchleak.evidence import kinds as k
from _torchleak.evidence import locals as names
from _torchleak.evidence import paths as p

MOST = 16


class Target:
    """One holder under watch."""

    def __init__(self, number, mark, value, frame_id=0, code=None):
        self.number = number
        self.mark = mark    # frame -> what differs after a write: a length, or which tensor and how often changed
        self.value = value  # frame -> the container or tensor itself
        self.frame_id = frame_id  # of the one frame whose name this is, 0 when it can be seen from anywhere
        self.code = code
        self.last = None


def of(holders, last, paths, kinds, reader):
    """Targets for the holders that a look can tell apart."""
    found = []
    for holder in holders:
        target = _target(holder, last, paths, kinds, reader) if holder.path else None
        if target is not None:
            found.append(target)
    return found[:MOST]


def _target(holder, last, paths, kinds, reader):
    path = holder.path
    obj = last.search.objects.get(path)
    kind = kinds.of(obj) if obj is not None else k.ATOM
    if kind in k.SIZED and not holder.rebound:
        return Target(holder.number, lambda _: k.length(obj, kind), lambda _: obj)
    parent, edge, name = paths.step(path)
    if edge == p.MODULE:
        attributes = k.instance_dict(obj)
        return Target(holder.number, lambda _: dict.__len__(attributes), lambda _: attributes)
    owner = last.search.objects.get(parent)
    fetch, lengths = _fetch(owner, edge, name, kinds), flats.Flats()
    if fetch is None:
        return None

    def look(frame):
        value = fetch(frame)
        if kinds.of(value) == k.TENSOR:
            return id(value), reader.version(value)
        return id(value), lengths.size(value) if id(type(value)) in lengths.types else 0

    if edge == p.LOCAL:
        return Target(holder.number, look, fetch, id(owner), owner.f_code)
    return Target(holder.number, look, fetch)


def _fetch(owner, edge, name, kinds):
    """A function that gets the value of a name, attribute or key, or None when there is no safe way."""
    if owner is None:
        return None
    if edge == p.LOCAL:
        return (lambda frame: frame.f_locals.get(name)) if names.readable(owner.f_code) else None
    if edge == p.CLOSURE:
        for free, cell in zip(owner.__code__.co_freevars, owner.__closure__ or ()):
            if free == name:
                return lambda _: _cell(cell)
        return None
    if edge == p.KEY:
        return (lambda _: dict.get(owner, name)) if kinds.of(owner) == k.DICT and name != "…" else None
    if edge == p.INDEX and kinds.of(owner) == k.LIST and name != "…":
        return lambda _: list.__getitem__(owner, name) if name < list.__len__(owner) else None
    if edge == p.CLASS_ATTRIBUTE:
        return lambda _: k.type_dict(owner).get(name)
    if edge in (p.ATTRIBUTE, p.GLOBAL):
        tables = [table for table in _tables(owner, kinds) if table is not None]
        return (lambda _: _first(tables, name)) if tables else None
    return None


def _tables(owner, kinds):
    attributes = k.namespace(owner)
    yield attributes
    if kinds.of(owner) == k.NN_MODULE and attributes:
        for table in ("_buffers", "_parameters"):
            if kinds.of(attributes.get(table)) == k.DICT:
                yield attributes[table]


def _first(tables, name):
    for table in tables:
        if name in table:
            return table[name]
    return None


def _cell(cell):
    try:
        return cell.cell_contents
    except ValueError as error:
        guard.hand_on(error)
        return None
