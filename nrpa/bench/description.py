"""The description that lies beside the records of an experiment."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.files import is_file
from nrpa.io.text import decoded, read_bytes


def description_path(path: str | os.PathLike[str]) -> Path:
    """Return where the description of an experiment lies beside its records.

    Parameters
    ----------
    path : str or path-like
        The records, ``NAME.csv`` or ``NAME.playouts.csv``.

    Returns
    -------
    Path
        ``NAME.json``.

    Examples
    --------
    >>> description_path("rc.csv").name, description_path("rc.playouts.csv").name
    ('rc.json', 'rc.json')
    """
    beside = Path(path).with_suffix(".json") if Path(path).name else Path(path)
    if not is_file(beside) and Path(beside.stem).suffix == ".playouts":
        return beside.with_name(beside.stem).with_suffix(".json")
    return beside


def description_beside(path: str | os.PathLike[str]) -> Any:
    """Return what the description beside some records holds; None where there is none, or it is not JSON.

    Parameters
    ----------
    path : str or path-like
        The records.

    Returns
    -------
    object
        What the JSON holds, whatever that is: the file may be of another program.
    """
    try:
        return json.loads(decoded(read_bytes(description_path(path))))
    except (InputError, ValueError, RecursionError):
        return None


class Order:
    """The order of names in a list, for sorting; names that are not in it come last, and are alike.

    Parameters
    ----------
    names : iterable of str
        The list.

    Examples
    --------
    >>> order = Order(["b", "a"])
    >>> order("a"), order("c")
    (1, 2)
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._known = {name: number for number, name in enumerate(names)}

    def __call__(self, name: str) -> int:
        """Return the place of a name."""
        return self._known.get(name, len(self._known))


def orders_beside(path: str | os.PathLike[str]) -> tuple[Order, Order]:
    """Return the order of variants and instances in the description beside some records.

    Parameters
    ----------
    path : str or path-like
        The records, ``NAME.csv`` or ``NAME.playouts.csv``.

    Returns
    -------
    variants, instances : Order
        Those of empty lists where there is no such description.
    """
    try:
        experiment = description_beside(path)["experiment"]
        return Order(experiment["variants"]), Order(experiment["instances"])
    except (LookupError, TypeError):
        return Order(), Order()
