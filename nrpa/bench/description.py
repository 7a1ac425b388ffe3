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
from nrpa.search.clock import PROCESSOR, WALL


def description_path(path: str | os.PathLike[str]) -> Path:
    """Return where the description of an experiment lies beside its records: ``NAME.json``.

    >>> description_path("rc.csv").name, description_path("rc.playouts.csv").name
    ('rc.json', 'rc.json')
    """
    beside = Path(path).with_suffix(".json") if Path(path).name else Path(path)
    if not is_file(beside) and Path(beside.stem).suffix == ".playouts":
        return beside.with_name(beside.stem).with_suffix(".json")
    return beside


def description_beside(path: str | os.PathLike[str]) -> Any:
    """Return what the JSON beside some records holds, whatever that is; None where there is none, or it is no JSON."""
    try:
        return json.loads(decoded(read_bytes(description_path(path))))
    except (InputError, ValueError, RecursionError):
        return None


def clock_beside(path: str | os.PathLike[str]) -> str:
    """Return the clock that the description beside some records names; wall time where it names none."""
    try:
        clock = description_beside(path)["experiment"]["clock"]
    except (LookupError, TypeError):
        return WALL
    return PROCESSOR if clock == PROCESSOR else WALL


class Order:
    """The order of names in a list, for sorting; names that are not in it come last, and are alike.

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
    """Return the order of variants and instances in the description beside some records."""
    try:
        experiment = description_beside(path)["experiment"]
        return Order(experiment["variants"]), Order(experiment["instances"])
    except (LookupError, TypeError):
        return Order(), Order()
