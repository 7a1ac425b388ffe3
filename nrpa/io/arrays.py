"""Named arrays in one ``.npz`` file, with a hash of all: they are read as they were written, or refused."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Mapping

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import path_shown
from nrpa.io.files import is_directory, write_bytes

HASH = "sha256"


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of bools and numbers, by name, to an ``.npz`` file without compression, whole or not at all."""
    data = io.BytesIO()
    save: Callable[..., None] = np.savez
    save(data, **{**arrays, HASH: np.frombuffer(_hash(arrays), np.uint8)})
    write_bytes(path, data.getvalue())


def read_arrays(path: str | os.PathLike[str], what: str) -> dict[str, np.ndarray]:
    """Return the arrays that ``write_arrays`` wrote, by name."""
    shown = path_shown(path)
    if is_directory(path):
        raise InputError(f"{shown}: is a directory; expected {what}")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{shown}: cannot be read ({reason})") from None
    if not data.startswith(b"PK"):
        raise InputError(f"{shown}: is not {what}")
    try:
        arrays = _arrays_in(data)
        is_whole = arrays.pop(HASH).tobytes() == _hash(arrays)
    # What zipfile and NumPy raise for damaged bytes, and for types without any, is of a dozen kinds.
    except Exception:
        is_whole = False
    if not is_whole:
        raise InputError(f"{shown}: is damaged, or not {what}")
    return arrays


def _arrays_in(data: bytes) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise ValueError("compressed")
    if sum(entry.file_size for entry in entries) > len(data):
        raise ValueError("entries that overlap")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _hash(arrays: Mapping[str, np.ndarray]) -> bytes:
    whole = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        whole.update(f"{name} {array.dtype.str} {arrays[name].shape}\n".encode())
        whole.update(array.data if array.size else b"")
    return whole.digest()
