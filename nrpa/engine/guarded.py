"""Arrays that know their names: an index that they do not have is an error that names the array."""

from __future__ import annotations

from typing import Any

import numpy as np

# numba computes with these as with int64; NumPy would let them overflow.
_NARROW = (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32)


class OutOfBounds(IndexError):  # noqa: N818
    """An index that an array does not have."""

    def __init__(self, array: Guarded, index: Any) -> None:
        size = f"size {array.size}" if array.ndim == 1 else f"shape {array.shape}"
        shown = tuple(map(_number, index)) if isinstance(index, tuple) else _number(index)
        super().__init__(f"{array.name} (index {shown}, {size})")


class Guarded(np.ndarray):
    """An array that says its name when it is asked for an index that it does not have. So do its views.

    Elements of fewer than 64 bits come out as int64, as numba computes with them.
    """

    name = ""

    def __array_finalize__(self, source: Any) -> None:
        """Take over the name of the array that this is a view of."""
        self.name = getattr(source, "name", "")

    def __getitem__(self, index: Any) -> Any:
        try:
            value = super().__getitem__(index)
        except IndexError:
            raise OutOfBounds(self, index) from None
        return np.int64(value) if type(value) in _NARROW else value

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            super().__setitem__(index, value)
        except IndexError:
            raise OutOfBounds(self, index) from None


class GuardedList(Guarded):
    """A list of moves that a kernel writes, from 0 on."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, (int, np.integer)) and index < 0:
            raise OutOfBounds(self, index)
        super().__setitem__(index, value)


def guarded(value: Any, name: str, kind: type[Guarded] = Guarded) -> Any:
    """Return ``value`` with all its arrays as guarded views.

    Parameters
    ----------
    value : Any
        An array, a tuple or NamedTuple of what may be guarded, or anything else, which stays as it is.
    name : str
        What ``value`` is called in messages; the fields of a NamedTuple are called ``name.field``.
    kind : type[Guarded]
        The class of the views.

    Returns
    -------
    Any
        The same thing, in the same memory.

    """
    if isinstance(value, np.ndarray):
        view = value.view(kind)
        view.name = name
        return view
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", range(len(value)))
        parts = [guarded(part, f"{name}.{field}", kind) for field, part in zip(fields, value, strict=True)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _number(index: Any) -> Any:
    return index.item() if isinstance(index, np.generic) else index
