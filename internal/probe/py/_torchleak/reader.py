"""Whether the torchleak that has attached is still there: however it ends, the lock that it holds is gone with it."""

import fcntl
import os
import time

_LOOK_NS = 1000000000


class Reader:
    """Who holds the lock of a file."""

    def __init__(self, path):
        self._path = path
        self._due = time.monotonic_ns() + _LOOK_NS

    def gone(self, now):
        """Whether nobody holds it any more, or has removed it. Looks once a second."""
        if now < self._due:
            return False
        self._due = now + _LOOK_NS
        try:
            fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            return isinstance(error, FileNotFoundError)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            os.close(fd)
        self._due = 0
        return True
