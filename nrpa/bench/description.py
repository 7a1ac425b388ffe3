"""The description that lies beside the records of an experiment: the order of its names, the clock, the objective."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.files import is_file
from nrpa.io.text import decoded, read_bytes
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.lexicographic import Lexicographic
from nrpa.modelling.objective import Objective
from nrpa.registry import problems
from nrpa.search.clock import PROCESSOR, WALL

# The objective in whose terms figures are shown where the problem's is not known.
SCORES = Objective("score", sign=1, digits=2)


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


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objectives = {problem.objective for problem in problems_of}
    if any(isinstance(objective, Lexicographic) for objective in objectives):
        raise InputError("an experiment needs scores that are single numbers: means of several parts say nothing")
    return asdict(objectives.pop()) if len(objectives) == 1 else None


def objective_beside(path: str | os.PathLike[str]) -> Objective | None:
    """Return the objective in the description beside some records; None where it is not known.

    A description of an older version only names the problem. That is looked up among those of installed packages: no
    file that it names is executed.
    """
    try:
        description = description_beside(path)
        if "objective" in description:
            return Objective(**{name: description["objective"][name] for name in Objective.__dataclass_fields__})
        name = description["experiment"]["problem"]
        found: type[BaseProblem] | None = problems.load(name) if name in problems.entries() else None
    except (InputError, ValueError, LookupError, TypeError):
        return None
    return None if found is None else found.objective


def order_of(names: Iterable[str] = ()) -> Callable[[str], int]:
    """Return the order of names in a list, for sorting; names that are not in it come last, and are alike.

    >>> order = order_of(["b", "a"])
    >>> order("a"), order("c")
    (1, 2)
    """
    known = {name: number for number, name in enumerate(names)}
    return lambda name: known.get(name, len(known))


def orders_beside(path: str | os.PathLike[str]) -> tuple[Callable[[str], int], Callable[[str], int]]:
    """Return the order of variants and instances in the description beside some records."""
    try:
        experiment = description_beside(path)["experiment"]
        return order_of(experiment["variants"]), order_of(experiment["instances"])
    except (LookupError, TypeError):
        return order_of(), order_of()
