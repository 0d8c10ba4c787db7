"""Tables that grow without making objects: Python's collector runs as often as without us."""

from array import array


class Columns:
    """Columns of integers of equal length."""

    def __init__(self, *names):
        for name in names:
            setattr(self, name, array("q"))
        self._names = names

    def __len__(self):
        return len(getattr(self, self._names[0]))

    def plain(self):
        """As lists, by name."""
        return {name: list(getattr(self, name)) for name in self._names}


class Numbering:
    """Numbers of keys, in the order in which they were first asked for."""

    def __init__(self):
        self._numbers = {}
        self.values = []

    def of(self, key, value):
        """The number of a key; value(key) is kept for a new one."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.values)
            self.values.append(value(key))
        return number
