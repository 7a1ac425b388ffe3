"""The order in which an experiment names its variants and instances."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from nrpa.base.errors import InputError
from nrpa.bench.unit import description_path
from nrpa.io.text import decoded, read_bytes

Order = tuple[list[str], list[str]]


def order_beside(path: str | os.PathLike[str]) -> Order:
    """Return the names that the description beside some records gives, in its order.

    Parameters
    ----------
    path : str or path-like
        The records, ``NAME.csv`` or ``NAME.playouts.csv``.

    Returns
    -------
    variants, instances : list of str
        Their names; empty where there is no such description.
    """
    try:
        experiment = json.loads(decoded(read_bytes(description_path(path))))["experiment"]
        return [*experiment["variants"]], [*experiment["instances"]]
    except (InputError, ValueError, LookupError, TypeError, RecursionError):
        return [], []


def place(name: str, names: Iterable[str]) -> int:
    """Return the place of a name among others, the last one if it is not there.

    Examples
    --------
    >>> place("b", ["a", "b"]), place("c", ["a", "b"])
    (1, 2)
    """
    known = [*names]
    return known.index(name) if name in known else len(known)
