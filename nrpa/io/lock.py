"""A file that one process at a time may write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nrpa.base.errors import InputError

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes out of a file, as long as they ask here too, by a lock on ``NAME.lock`` beside it.

    The system frees it when the process ends, however it ends; a file that is left then locks nothing.
    """
    where = Path(os.path.realpath(path))
    lock = where.with_name(where.name + ".lock")
    descriptor = _taken(lock, path)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(descriptor)


def _taken(lock: Path, path: str | os.PathLike[str]) -> int:
    """Return the descriptor of the lock's file, locked, and still the one of that name."""
    while True:
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"{lock}: cannot be written ({error.strerror})") from None
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            what = "another process is writing it; choose another file, or wait"
            raise InputError(f"{os.fspath(path)}: {what}") from None
        except OSError:
            # A file system without locks, as some of networks.
            return descriptor
        if _is_at(descriptor, lock):
            return descriptor
        os.close(descriptor)


def _is_at(descriptor: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(lock))
    except OSError:
        return False
