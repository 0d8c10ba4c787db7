"""Says which class of the program a loader worker reads: its source tells what the worker keeps."""

import sys

from _torchleak import guard

_NAMES = type.__dict__["__dict__"].__get__
_QUALNAME = type.__dict__["__qualname__"].__get__
_TORCHS_OWN = "torch.utils.data.dataset"
_DEEPEST = 8


def given(loop, arguments):
    """What describe() says of the data set among the arguments of torch's worker loop, None where there is none."""
    try:
        dataset = arguments[1]
        if loop.__code__.co_varnames[1] == "dataset_holder":  # newer releases put it into a list, to be taken out
            dataset = dataset[0]
        return describe(dataset)
    except Exception as error:
        guard.hand_on(error)
        return None


def describe(dataset):
    """{"class", "module", "file"} of a data set; where torch's own stand around it, such as Subset, of the
    innermost. Runs no code of the data set's."""
    for _ in range(_DEEPEST):
        if _module(dataset) != _TORCHS_OWN:
            break
        inner = _wrapped(object.__getattribute__(dataset, "__dict__"))
        if inner is None:
            break
        dataset = inner
    module = _module(dataset)
    file = vars(sys.modules[module]).get("__file__") if module in sys.modules else None
    return {"class": _QUALNAME(type(dataset)), "module": module, "file": file if type(file) is str else ""}


def _module(dataset):
    name = _NAMES(type(dataset)).get("__module__")
    return name if type(name) is str else ""


def _wrapped(attributes):
    """The data set in one of torch's own; of several the first."""
    several = attributes.get("datasets")
    return attributes.get("dataset", several[0] if type(several) is list and several else None)
