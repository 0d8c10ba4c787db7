# Only the newest error is remembered, to be raised when there were too many.
class Loader:
    def __init__(self, source, patience=10):
        self.source = source
        self.patience = patience
        self.last_error = None

    def __iter__(self):
        misses = 0
        for path in self.source:
            try:
                yield self.read(path)
            except OSError as error:
                self.last_error = error
                misses += 1
                if misses > self.patience:
                    raise RuntimeError("too many unreadable files") from error

    def read(self, path):
        with open(path, "rb") as handle:
            return handle.read()
