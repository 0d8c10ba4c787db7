import torch


class Storage(dict):
    """Attributes of one kind, with the way back to their owner."""

    def __init__(self, parent, **values):
        super().__init__(**values)
        self._parent = parent  # leak

    @property
    def share(self):
        return len(self) / max(1, len(self._parent.keys()))


class Data:
    def __init__(self, **values):
        self._store = Storage(self, **values)  # leak?

    def __getattr__(self, name):
        try:
            return self.__dict__["_store"][name]
        except KeyError:
            raise AttributeError(name) from None

    def keys(self):
        return list(self._store)

    def to(self, device):
        return Data(**{key: value.to(device) for key, value in self._store.items()})

    @staticmethod
    def collate(items):
        return Data(**{key: torch.stack([item[key] for item in items]) for key in items[0]})
