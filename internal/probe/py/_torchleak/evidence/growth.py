"""Compares three snapshots: what grew in both windows."""

from _torchleak.evidence import census, flats
from _torchleak.evidence import paths as p


def grew(figures, least=1):
    """Whether every figure is at least so much above the one before."""
    return all(a + least <= b for a, b in zip(figures, figures[1:]))


class GrownGroup:
    """Tensors alike that became more in both windows."""

    def __init__(self, key, groups, nodes, truncated):
        self.key = key
        self.groups = groups
        self.count = [len(group.ids) for group in groups]
        self.bytes = [group.bytes for group in groups]
        self.nodes = nodes
        self.truncated = truncated
        before = set(groups[0].ids)
        self.new = [tensor_id for tensor_id in groups[-1].ids if tensor_id not in before]
        self.holders = []


class Growth:
    """What grew over the snapshots."""

    def __init__(self, snapshots, paths, least):
        self.snapshots = snapshots
        self.containers = _containers(snapshots, paths, least)  # path -> lengths
        self.rebound = {path for path in self.containers if len({
            snapshot.lengths[path][2] for snapshot in snapshots}) > 1}  # another object under the same name each time
        self.bounds = {path: most for path, most in snapshots[-1].bounds.items()
                       if all(snapshot.bounds.get(path) == most for snapshot in snapshots)}
        self.slots = _slots(snapshots)                   # path -> Slots
        self.flats = flats.grown(snapshots, least)       # path -> Flats
        self.chains = _chains(snapshots, paths, self.rebound)  # paths
        # Numbers of tensors that were not all read would show growth where there is none.
        partial = any(snapshot.census.partial for snapshot in snapshots)
        self.groups = [] if partial else _groups(snapshots, least)


def _containers(snapshots, paths, least):
    found = {}
    last = snapshots[-1].lengths
    for path, (_, type_id, _) in last.items():
        lengths = []
        for snapshot in snapshots:
            length, other, _ = snapshot.lengths.get(path, (0, 0, 0))
            if other != type_id:
                break
            lengths.append(length)
        if len(lengths) == len(snapshots) and grew(lengths, least):
            found[path] = lengths
    # A hook with keywords stands in a second table under the same key: one is enough.
    return {path: lengths for path, lengths in found.items()
            if not _side_table(paths.step(path)) or not _has_main_table(path, found, paths)}


def _chains(snapshots, paths, rebound):
    """Names that lead to another object each time, with ever more tensors behind it, or a longer container in it:
    the newest of a chain, each of whose links keeps the one before, or what it held. Its own links do the same, the
    name nearest to the root is the chain's."""
    longer = set(map(paths.parent, rebound))
    found, inside = set(), set()
    for path in sorted(snapshots[-1].behind):
        if paths.parent(path) in inside:
            inside.add(path)
            continue
        if not paths.parent(path):
            continue  # a function is another frame in each call: one of its names may be a chain's
        taken = [snapshot.behind.get(path) for snapshot in snapshots]
        if any(entry is None for entry in taken) or len({number for _, number in taken}) == 1:
            continue
        if path in longer or grew([count for count, _ in taken]):
            found.add(path)
            inside.add(path)
    return found


def _side_table(step):
    return step[1] == p.TABLE and step[2].endswith(("_with_kwargs", "_always_called"))


def _has_main_table(path, found, paths):
    parent = paths.parent(path)
    return any(other != path and paths.parent(other) == parent and not _side_table(paths.step(other))
               and paths.step(other)[1] == p.TABLE for other in found)


def _slots(snapshots):
    """Slots whose tensor is another one each time and has more of a graph, or more bytes, behind it."""
    found = {}
    for path in snapshots[-1].slots:
        slots = [snapshot.slots.get(path) for snapshot in snapshots]
        if any(slot is None for slot in slots):
            continue
        replaced = slots[0].tensor_id != slots[-1].tensor_id or slots[0].sequence != slots[-1].sequence
        deep = grew([slot.nodes for slot in slots]) and slots[0].nodes > 0 and not any(slot.truncated for slot in slots[:-1])
        cut = replaced and all(slot.nodes for slot in slots) and _leads_back(slots)
        if deep or cut or grew([slot.bytes for slot in slots]) and slots[0].bytes > 0:
            found[path] = slots
    return _carried(found)


def _leads_back(slots):
    """Whether the graph goes on behind a walk that was cut short. Such a walk, as on a busy machine, counted too few: more
    in the next is no growth. There the earlier step has to be met in the later graph, where this torch tells."""
    if slots[-2].sequence is None:
        return all(slot.truncated for slot in slots)
    return any(slot.truncated for slot in slots) and slots[-2].sequence in slots[-1].inside


def _carried(found):
    """Orders grown slots: first those whose earlier value stands in a later graph, the shallowest first.

    With a carried state everything computed from it has a growing graph too; the state itself is
    what the next step starts from.
    """
    inside = set()
    for slots in found.values():
        inside |= slots[-1].inside
    known = any(slots[-2].sequence is not None for slots in found.values())
    if known and inside:
        carried = {path: slots for path, slots in found.items()
                   if slots[-2].sequence is None or slots[-2].sequence in inside}
        # A deeper graph that leads back to no earlier step is that of a larger model, as layers are unfrozen.
        found = carried or {path: slots for path, slots in found.items() if slots[-1].truncated
                            or grew([slot.bytes for slot in slots])}
    return dict(sorted(found.items(), key=lambda entry: entry[1][-1].nodes))


def _groups(snapshots, least):
    keys = list(snapshots[-1].census.groups)
    fine = [group for key in keys for group in [_group(snapshots, key, [key], False, least)] if group]
    coarse = {}
    for snapshot in snapshots:
        for key in snapshot.census.groups:
            coarse.setdefault(_shapeless(key), set()).add(key)
    result = list(fine)
    for key, members in coarse.items():
        if len(members) < 2:
            continue
        whole = _group(snapshots, key, members, True, least)
        parts = [group for group in fine if _shapeless(group.key) == key]
        if whole and _added(whole) > 2 * sum(map(_added, parts)):
            result = [group for group in result if group not in parts] + [whole]
    return sorted(result, key=lambda group: group.bytes[0] - group.bytes[-1])


def _members(snapshot, key):
    group = snapshot.census.groups.get(key)
    return len(group.ids) if group is not None else 0


def _added(group):
    return group.count[-1] - group.count[0]


def _shapeless(key):
    return key._replace(shape=len(key.shape))


def _group(snapshots, key, members, varying, least):
    groups = []
    for snapshot in snapshots:
        whole = census.Group()
        for member in members:
            part = snapshot.census.groups.get(member)
            if part is not None:
                whole.add(part)
        groups.append(whole)
    counts = [len(group.ids) for group in groups]
    if not grew(counts, least):
        return None
    nodes, truncated = [], False
    for snapshot in snapshots:
        parts = [snapshot.group_nodes.get(member, (0, False)) for member in members]
        nodes.append(sum(part[0] for part in parts))
        truncated = truncated or any(part[1] for part in parts)
    if varying:
        key = max(members, key=lambda member: _members(snapshots[-1], member) - _members(snapshots[0], member))
    return GrownGroup(key, groups, nodes, truncated)
