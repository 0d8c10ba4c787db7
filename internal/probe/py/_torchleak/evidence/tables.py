"""The tables of torch's modules and optimizers, read without running any code of theirs."""

from _torchleak.evidence import kinds as k


def tensors(module, table, kinds):
    """[(name, tensor), …] of one of a module's tables, `_parameters` or `_buffers`."""
    return [(name, value) for name, value in _entries(module, table, kinds) if id(type(value)) in kinds.tensors]


def children(module, kinds):
    """[(name, module), …] of the modules right inside one."""
    return [(name, value) for name, value in _entries(module, "_modules", kinds)
            if type(name) is str and kinds.of(value) == k.NN_MODULE]


def outermost(modules, kinds):
    """Those of the modules that stand in no other one of them."""
    inside = {id(child) for module in modules for _, child in children(module, kinds)}
    return [module for module in modules if id(module) not in inside]


def optimized(optimizer, kinds):
    """The tensors in an optimizer's parameter groups."""
    groups = k.attribute(optimizer, "param_groups")
    for group in list(groups) if type(groups) is list else ():
        members = group.get("params") if type(group) is dict else None
        for tensor in list(members) if type(members) is list else ():
            if id(type(tensor)) in kinds.tensors:
                yield tensor


def state(optimizer, kinds):
    """(parameter, tensor) of the tensors in an optimizer's state."""
    for parameter, entry in _entries(optimizer, "state", kinds):
        values = list(dict.values(entry)) if kinds.of(entry) == k.DICT else [entry]
        for value in values:
            if id(type(value)) in kinds.tensors:
                yield parameter, value


def _entries(owner, table, kinds):
    found = k.attribute(owner, table)
    return list(dict.items(found)) if kinds.of(found) == k.DICT else []
