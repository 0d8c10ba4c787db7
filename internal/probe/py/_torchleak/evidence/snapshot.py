"""All that one stop sees: the census, the search and the graphs. Figures outlive the stop, objects do not."""

import time

from _torchleak.evidence import census, graph, search
from _torchleak.evidence import kinds as k

SLOT_NODES = 20000
GROUP_NODES = 4000
MAX_SLOTS = 4000
LEAST_WALK = 0.004  # seconds: a few graphs of a usual model, so that there are two to compare
MOST_LATE = 4 * LEAST_WALK


class Slot:
    """A name, attribute or key that leads to one tensor."""

    __slots__ = ("tensor_id", "bytes", "nodes", "truncated", "sequence", "inside")

    def __init__(self, tensor_id, size):
        self.tensor_id = tensor_id
        self.bytes = size
        self.nodes = 0
        self.truncated = False
        self.sequence = None       # the number of the node that made the tensor
        self.inside = frozenset()  # the numbers of all nodes behind it


class Snapshot:
    """One stop's findings."""

    def __init__(self, census_, search_):
        self.census = census_
        self.search = search_
        self.lengths = search_.lengths
        self.bounds = search_.bounds
        self.flats = search_.flats
        self.slots = {}        # path -> Slot
        self.behind = {}       # path -> (slots that lie behind it, id of the object)
        self.group_nodes = {}  # group -> (nodes, truncated)

    def release(self):
        """Lets go of the target's objects."""
        self.census.release()
        self.search = None


def take(ctx, kinds, reader, paths, loaded, step, seconds):
    """Stops for about so many seconds and looks."""
    optimizers = ctx.optimizers
    taken = census.take(step, kinds, reader, optimizers, seconds * 0.6, loaded.iterators())
    left = max(0.004, seconds - taken.cpu_seconds)
    found = search.Search(kinds, reader, paths, ctx, loaded)
    with reader.quiet():
        found.run(optimizers, taken.iterators, left * 0.6)
    snapshot = Snapshot(taken, found)
    deadline = time.thread_time() + left * 0.3
    with reader.quiet():
        _slots(snapshot, kinds, reader, deadline)
        _groups(snapshot, reader, deadline)
    snapshot.behind = _behind(snapshot.slots, found.objects, paths)
    return snapshot


def _behind(slots, objects, paths):
    """How many slots lie behind each object. A path has a higher number than those it goes through, so each is
    met once, however long the way."""
    counts = dict.fromkeys(slots, 1)
    for path in slots:
        at = paths.parent(path)
        while at and at not in counts:
            counts[at] = 0
            at = paths.parent(at)
    for path in sorted(counts, reverse=True):
        parent = paths.parent(path)
        if parent:
            counts[parent] += counts[path]
    return {path: (counts[path], id(objects[path])) for path in counts if path in objects}


def _slots(snapshot, kinds, reader, deadline):
    owned = snapshot.census.owned
    counted = {}  # the same tensor under several names is counted once
    entries = [(path, tensor) for path, tensor in snapshot.search.slots.items()
               if kinds.of(tensor) == k.TENSOR and _carries(owned.get(id(tensor), ""), tensor, reader)]
    for path, tensor in entries[:MAX_SLOTS]:
        slot = snapshot.slots[path] = Slot(id(tensor), reader.storage(tensor)[1])
        node = reader.grad_fn(tensor)
        if node is None:
            continue
        known = counted.get(id(tensor))
        if known is None:
            left = deadline - time.thread_time()
            if left <= 0:
                slot.truncated = True
                continue
            walk = graph.Walk(SLOT_NODES, min(left, 0.02))
            walk.add(node)
            known = counted[id(tensor)] = (
                len(walk.nodes), walk.truncated, graph.sequence_number(node), frozenset(walk.sequence()))
        slot.nodes, slot.truncated, slot.sequence, slot.inside = known


def _carries(category, tensor, reader):
    """Whether a tensor may hold on to earlier steps: an optimizer's state does where it was computed with its graph."""
    return category in ("", "buffer") or category == "optimizer state" and reader.get_requires_grad(tensor)


def _groups(snapshot, reader, deadline):
    tensors = {id(tensor): tensor for tensor in snapshot.census.tensors}
    behind = {slot.tensor_id: slot.nodes for slot in snapshot.slots.values()}
    for key, group in snapshot.census.groups.items():
        if not key.grad_fn or key.category == "parameter":
            continue
        # First the tensors of names, whose graphs may contain those of all the others.
        ids = sorted(group.ids, key=lambda tensor_id: -behind.get(tensor_id, 0))
        limit = GROUP_NODES + behind.get(ids[0], 0)
        left = deadline - time.thread_time()
        walk = graph.Walk(limit, max(left, min(LEAST_WALK, left + MOST_LATE), 0.001))
        snapshot.group_nodes[key] = (_reached(walk, reader, map(tensors.__getitem__, ids), len(ids)), walk.truncated)


def _reached(walk, reader, tensors, count):
    """How many nodes hang on so many tensors. Where there was no time for all, those left out are taken
    to add what those walked added on the average, the first one aside: its graph is no addition. Where the second
    was cut off in nodes of its own, it is taken to be like the first."""
    first, walked = 0, 0
    for tensor in tensors:
        node = reader.grad_fn(tensor)
        if node is None:
            continue
        walk.add(node)
        if walk.truncated:
            break
        walked += 1
        first = first or len(walk.nodes)
    nodes = len(walk.nodes)
    if walk.truncated and walked > 1:
        return first + (nodes - first) * (count - 1) // (walked - 1)
    if walk.truncated and walked and nodes > first:
        return first * count
    return nodes
