"""Tables that grow without making objects: Python's collector runs as often as without us."""

from array import array


class Columns:
    """Columns of integers of equal length."""

    def __init__(self, *names):
        for name in names:
            setattr(self, name, array("q"))
        self._names = names
        self._columns = [getattr(self, name) for name in names]

    def __len__(self):
        return len(self._columns[-1])

    def append(self, *values):
        """Adds a row."""
        for column, value in zip(self._columns, values):
            column.append(value)

    def plain(self):
        """As lists, by name: whole rows only, should something have come between."""
        return {name: list(column[:len(self)]) for name, column in zip(self._names, self._columns)}


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
