"""What is said of the data set that a loader worker reads."""

import sys
import types
import unittest

from _torchleak import dataset


class Hostile(type):
    """Answers for no attribute of its classes."""

    def __getattribute__(cls, name):
        raise AssertionError(name)


class Plain:
    """A data set of a program."""


class Shy(metaclass=Hostile):
    """One that lets nobody look."""

    def __getattribute__(self, name):
        raise AssertionError(name)


def torchs(name):
    """A class such as torch's own."""
    return type(name, (), {"__module__": "torch.utils.data.dataset"})


def holding(cls, **attributes):
    made = cls()
    made.__dict__.update(attributes)
    return made


def old_loop(kind, dataset, queue):
    """torch's loop as it was."""


def new_loop(kind, dataset_holder, queue):
    """… and is."""


class DatasetTest(unittest.TestCase):
    def test_class(self):
        here = {"module": __name__, "file": __file__}
        self.assertEqual(dataset.describe(Plain()), {"class": "Plain", **here})
        self.assertEqual(dataset.describe(Shy()), {"class": "Shy", **here})

    def test_torchs_own(self):
        subset, several = torchs("Subset"), torchs("ConcatDataset")
        around = holding(subset, dataset=holding(several, datasets=[Plain(), Shy()]))
        self.assertEqual(dataset.describe(around)["class"], "Plain")
        bare = dataset.describe(holding(torchs("TensorDataset"), tensors=()))
        self.assertEqual(bare["class"], "TensorDataset")
        self.assertEqual(dataset.describe(holding(several, datasets=[]))["class"], "ConcatDataset")
        ring = subset()
        ring.__dict__["dataset"] = ring
        self.assertEqual(dataset.describe(ring)["class"], "Subset")

    def test_no_file(self):
        sys.modules["made_up"] = types.ModuleType("made_up")
        try:
            made = type("Made", (), {"__module__": "made_up"})()
            self.assertEqual(dataset.describe(made), {"class": "Made", "module": "made_up", "file": ""})
        finally:
            del sys.modules["made_up"]

    def test_given(self):
        self.assertEqual(dataset.given(old_loop, ("map", Plain(), None))["class"], "Plain")
        self.assertEqual(dataset.given(old_loop, ("map", [Plain()], None))["class"], "list")
        self.assertEqual(dataset.given(new_loop, ("map", [Plain()], None))["class"], "Plain")
        for arguments in ((), ("map", [])):
            self.assertIsNone(dataset.given(new_loop, arguments))


if __name__ == "__main__":
    unittest.main()
