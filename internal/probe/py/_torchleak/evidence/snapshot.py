"""All that one stop sees: the census, the search and the graphs. Figures outlive the stop, objects do not."""

import time

from _torchleak.evidence import census, graph, search
from _torchleak.evidence import kinds as k

SLOT_NODES = 20000
GROUP_NODES = 4000
MAX_SLOTS = 4000


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
        self.slots = {}        # path -> Slot
        self.group_nodes = {}  # group -> (nodes, truncated)

    def release(self):
        """Lets go of the target's objects."""
        self.census.release()
        self.search = None


def take(ctx, kinds, reader, paths, loaded, step, seconds):
    """Stops for about so many seconds and looks."""
    optimizers = ctx.optimizers
    taken = census.take(step, kinds, reader, optimizers, seconds * 0.6)
    left = max(0.004, seconds - taken.cpu_seconds)
    found = search.Search(kinds, reader, paths, ctx, loaded)
    with reader.quiet():
        found.run(optimizers, left * 0.6)
    snapshot = Snapshot(taken, found)
    deadline = time.perf_counter() + left * 0.3
    with reader.quiet():
        _slots(snapshot, kinds, reader, paths, deadline)
        _groups(snapshot, reader, deadline)
    return snapshot


def _slots(snapshot, kinds, reader, paths, deadline):
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
            left = deadline - time.perf_counter()
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
    for key, group in snapshot.census.groups.items():
        if not key[-1] or key[0] == "parameter":
            continue
        walk, walked = graph.Walk(GROUP_NODES, max(0.001, deadline - time.perf_counter())), 0
        for tensor_id in group.ids:
            node = reader.grad_fn(tensors[tensor_id])
            if node is None:
                continue
            walk.add(node)
            if walk.truncated:
                break
            walked += 1
        nodes = len(walk.nodes)
        if walk.truncated and walked:
            nodes = nodes * len(group.ids) // walked
        snapshot.group_nodes[key] = (nodes, walk.truncated)
