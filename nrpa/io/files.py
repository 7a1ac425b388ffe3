"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from nrpa.base.errors import InputError


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` to ``path`` through a temporary file beside it, so that a crash never leaves half of one."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write ``data`` to ``path`` through a temporary file beside it.

    Raises InputError when it cannot be written.
    """
    target = Path(os.path.realpath(path))
    mode = _mode_for(target)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
        raise


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise InputError if ``path`` could not be written; nothing there is changed."""
    if not os.fspath(path):
        raise InputError("a file to write needs a name, not an empty one")
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError(f"{path}: is a directory; expected a file to write")
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written (no such directory)")
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def require_distinct(paths: Mapping[str, str | os.PathLike[str]]) -> None:
    """Raise InputError if two of ``paths``, by the options they come from, are the same file."""
    seen: dict[str, str] = {}
    for option, path in paths.items():
        other = seen.setdefault(os.path.realpath(path), option)
        if other != option:
            raise InputError(f"{other} and {option} are the same file, {path}")


def _mode_for(target: Path) -> int:
    """Return the permissions of the file to be replaced, or those of a new file under the process's umask."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
