"""Files: whether they are there, read, and written whole or not at all, by one process at a time."""

from __future__ import annotations

import errno
import functools
import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from nrpa.base.errors import InputError
from nrpa.base.values import path_shown

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]

STANDARD_INPUT = "-"
STANDARD_OUTPUT = "/dev/stdout"
BYTE_ORDER_MARK = "\ufeff"
_STANDARD_STREAMS = [1, 2]
TEMPORARY, SECONDS_OF_USE = ".nrpa-", 60.0
"""How the names of temporary files begin, and for how long they may be in use without a lock."""
LARGEST_READ = 2**29
"""In bytes; what is read may be a device or a pipe that never ends."""


def move_standard_output(descriptor: int) -> None:
    """Let what is written to STANDARD_OUTPUT go to another descriptor than 1."""
    _STANDARD_STREAMS[0] = descriptor


# Both return False as well for a name that no file can have.
exists, is_directory = os.path.exists, os.path.isdir


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether ``path`` is there and no directory: a file, or what can be read like one."""
    found = _status(path)
    return found is not None and not stat.S_ISDIR(found.st_mode)


def read_bytes(name: str | os.PathLike[str]) -> bytes:
    """Return what a file holds. Raises InputError if it cannot be read, or has no end; the message names it."""
    try:
        if name != STANDARD_INPUT:
            with open(name, "rb") as file:
                return _read_whole(file, path_shown(name))
        if sys.stdin is None:
            raise InputError("standard input is closed; expected input there")
        return _read_whole(sys.stdin.buffer, "<stdin>")
    except OSError as error:
        raise InputError(f"{path_shown(name)}: cannot be read ({error.strerror})") from None


def _read_whole(file: BinaryIO, label: str) -> bytes:
    data = file.read(LARGEST_READ + 1)
    if len(data) > LARGEST_READ:
        raise InputError(f"{label}: holds more than {LARGEST_READ >> 20} MB; expected a file that ends before")
    return data


def as_text(data: bytes) -> str:
    r"""Return UTF-8 as text, without the byte-order mark that some programs write before it.

    Raises UnicodeDecodeError if it is not UTF-8.

    >>> as_text(b"\xef\xbb\xbfa")
    'a'
    """
    return data.decode("utf-8").removeprefix(BYTE_ORDER_MARK)


def read_text(name: str | os.PathLike[str], expected: str) -> str:
    """Return the text that a file holds. Raises InputError, which says what was ``expected``, if it is no UTF-8."""
    try:
        return as_text(read_bytes(name))
    except UnicodeDecodeError:
        raise InputError(f"{path_shown(name)}: is not a text file; expected {expected}") from None


def read_json(name: str | os.PathLike[str]) -> Any:
    """Return what a file holds as JSON. Raises InputError if it cannot be read, or is anything else."""
    try:
        return json.loads(as_text(read_bytes(name)))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path_shown(name)}: is not JSON ({error})") from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8 as ``write_bytes`` does."""
    write_bytes(path, text.encode("utf-8"))


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Write what JSON can hold as ``write_bytes`` does."""
    write_text(path, json.dumps(content, indent=1) + "\n")


def write_bytes(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    """Write a file through a temporary file beside it, so that a crash never leaves half of one.

    What is no regular file (a pipe, ``/dev/null``), or is where standard output or standard error go, is written into
    and never replaced.

    Raises InputError if it cannot be written.
    """
    try:
        if is_replaced(path):
            _replace(_resolved(path), data)
        else:
            _write_into(path, data)
    except (OSError, ValueError) as error:
        raise InputError(_cannot_be_written(path, error)) from None


def append_text(path: str | os.PathLike[str], text: str) -> None:
    """Add a text, in UTF-8, to a file in one write, and wait until it is on the disk."""
    try:
        with open(path, "ab", buffering=0) as file:
            data = text.encode("utf-8")
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); what it holds is kept") from None


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless a file can be written; nothing there is changed."""
    if not os.fspath(path):
        raise InputError("a file to write needs a name, not an empty one")
    if is_directory(path):
        raise InputError(f"{path}: is a directory; expected a file to write")
    try:
        if not is_replaced(path):
            if _stream_at(os.stat(_opened(path))) is None and not os.access(path, os.W_OK):
                raise PermissionError(0, "permission denied")
            return
        target = _resolved(path)
        if not is_directory(target.parent):
            raise FileNotFoundError(0, "no such directory")
        _require_possible_name(target)
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except (OSError, ValueError) as error:
        raise InputError(_cannot_be_written(path, error)) from None


def require_outputs(
    outputs: Mapping[str, str | os.PathLike[str] | None], inputs: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Raise InputError unless files to write, by their options, can be, are distinct, and none of them is read."""
    given = {option: path for option, path in outputs.items() if path is not None}
    for path in given.values():
        require_writable(path)
    require_distinct(given)
    require_kept(given, inputs)


def require_distinct(paths: Mapping[str, str | os.PathLike[str]]) -> None:
    """Raise InputError if two files to write, by their options, are the same regular file, or standard output."""
    seen: dict[str, str] = {}
    for option, path in paths.items():
        is_mixed = path == STANDARD_OUTPUT or is_replaced(path)
        if is_mixed and (other := seen.setdefault(os.path.realpath(_opened(path)), option)) != option:
            raise InputError(f"{other} and {option} are the same file, {path}")


def is_replaced(path: str | os.PathLike[str]) -> bool:
    """Return whether writing ``path`` makes a new file in its place: not for a pipe, nor for standard output."""
    found = _status(path)
    return found is None or stat.S_ISDIR(found.st_mode) or (stat.S_ISREG(found.st_mode) and _stream_at(found) is None)


def require_kept(outputs: Mapping[str, str | os.PathLike[str]], inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raise InputError if writing a file, by its option, would replace one that is read, under any name."""
    read = [found for path in inputs if (found := _input_status(path)) is not None and stat.S_ISREG(found.st_mode)]
    for option, path in outputs.items():
        found = _status(path)
        if found is not None and any(os.path.samestat(found, each) for each in read):
            raise InputError(f"{option} would replace {path_shown(path)}, which is read; choose another file")


def source_files() -> list[str]:
    """Return the Python files that are loaded, a user's own among them, which no output may replace."""
    found = [vars(module).get("__file__") for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
    return [file for file in found if isinstance(file, str)]


def _input_status(path: str | os.PathLike[str]) -> os.stat_result | None:
    if path != STANDARD_INPUT or sys.stdin is None:
        return _status(path)
    try:
        return os.fstat(sys.stdin.fileno())
    except (OSError, ValueError):
        return None


def _opened(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the name of what a path means: of the descriptor that standard output has, for STANDARD_OUTPUT."""
    return f"/dev/fd/{_STANDARD_STREAMS[0]}" if path == STANDARD_OUTPUT else path


def _status(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(_opened(path))
    except (OSError, ValueError):
        return None


def _stream_at(found: os.stat_result) -> int | None:
    for descriptor in _STANDARD_STREAMS:
        try:
            if os.path.samestat(os.fstat(descriptor), found):
                return descriptor
        except OSError:
            continue
    return None


def _write_into(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    for text in (sys.stdout, sys.stderr):
        if text is not None:
            text.flush()
    stream = _stream_at(os.stat(_opened(path)))
    descriptor = os.open(path, os.O_WRONLY) if stream is None else os.dup(stream)
    # A reader of standard output may leave.
    with suppress(*([] if stream is None else [BrokenPipeError])), open(descriptor, "wb") as file:
        file.write(data)


def _resolved(path: str | os.PathLike[str]) -> Path:
    """Return the file that a path names, symbolic links resolved. Raises OSError where these lead in a circle."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, "its symbolic links lead in a circle")
    return target


def _replace(target: Path, data: bytes | memoryview) -> None:
    _require_possible_name(target)
    mode = _mode_for(target)
    _remove_abandoned(target.parent)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=TEMPORARY)
    try:
        with os.fdopen(handle, "wb") as file:
            _is_locked(handle)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@functools.cache
def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files that no process is writing: who was killed has left them. It is done once a folder."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError), open(path, "rb") as file:
            # Who has just made one may not have locked it yet, or may be about to rename it.
            if time.time() - os.fstat(file.fileno()).st_mtime > SECONDS_OF_USE and _is_locked(file.fileno()):
                path.unlink()


def _is_locked(descriptor: int) -> bool:
    """Lock a file for this process, until it is closed; return whether it is, and no other process has done so."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _require_possible_name(target: Path) -> None:
    """Raise OSError where the file system refuses the name itself, as it does one that is too long."""
    with suppress(FileNotFoundError):
        os.lstat(target)


def _mode_for(target: Path) -> int:
    """Return the permissions of the file to be replaced, or those of a new file under the process's umask."""
    found = _status(target)
    if found is not None:
        return found.st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cannot_be_written(path: str | os.PathLike[str], error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else error
    return f"{path_shown(path)}: cannot be written ({reason})"


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other processes out of a file, as long as they ask here too, by a lock on ``NAME.lock`` beside it.

    The system frees it when the process ends, however it ends; a file that is left then locks nothing.
    """
    where = Path(os.path.realpath(path))
    lock = where.with_name(where.name + ".lock")
    descriptor = _locked_descriptor(lock, path)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(descriptor)


def _locked_descriptor(lock: Path, path: str | os.PathLike[str]) -> int:
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
            # A file system without locks, such as some networks have.
            return descriptor
        if _is_at(descriptor, lock):
            return descriptor
        os.close(descriptor)


def _is_at(descriptor: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(lock))
    except OSError:
        return False
