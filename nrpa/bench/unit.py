"""What the figures of an experiment are shown in: the objective of its problem, or scores where that is not known."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.description import description_beside
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.registry import problems

SCORES = Objective("score", sign=1, digits=2)
_KINDS: dict[str, tuple[type, ...]] = {"name": (str,), "sign": (int,), "digits": (int,), "tie_break": (int, float)}


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objectives = {problem.objective for problem in problems_of}
    return asdict(objectives.pop()) if len(objectives) == 1 else None


def objective_beside(path: str | os.PathLike[str]) -> Objective | None:
    """Return the objective of the problem that records are of.

    It is that in the description beside them. A description without one, of an older version, names the problem, and
    only those of installed packages are looked up: no file that it names is executed.

    Parameters
    ----------
    path : str or path-like
        The records.

    Returns
    -------
    Objective or None
        The objective; None where there is no telling.
    """
    try:
        description = description_beside(path)
        if "objective" in description:
            return _objective(description["objective"])
        name = description["experiment"]["problem"]
        found: type[BaseProblem] | None = problems.load(name) if name in problems.entries() else None
    except (InputError, ValueError, LookupError, TypeError):
        return None
    return None if found is None else found.objective


def require_same_side(what: str, value: float, figures: Iterable[float], objective: Objective | None) -> None:
    """Raise where a value has another sign than all that it is compared with, as a score has in place of a cost.

    Parameters
    ----------
    what : str
        What the value is, for the message.
    value : float
        The value.
    figures : iterable of float
        The figures, in terms of ``objective``.
    objective : Objective or None
        What the value and the figures are; None for scores of an unknown problem. Of an objective of which more is
        better, nothing is asked: its scores are no other numbers.

    Raises
    ------
    InputError
        If it has; the message says what was expected.
    """
    if objective is not None and objective.sign > 0:
        return
    found = list(figures)
    if not found or not (value < 0 < min(found) or max(found) < 0 < value):
        return
    name = (objective or SCORES).name
    why = "" if objective is not None else ", as no description of the experiment says which problem it is of"
    raise InputError(
        f"{what} {value:.12g} has the wrong sign: it is a {name} here{why}, and those of the runs "
        f"are {min(found):.12g} to {max(found):.12g}; expected one such as {-value:.12g}"
    )


def _objective(record: Any) -> Objective | None:
    """Return the objective in a description; None where it is none."""
    if not isinstance(record, dict) or not all(isinstance(record.get(name), kind) for name, kind in _KINDS.items()):
        return None
    return Objective(**{name: record[name] for name in _KINDS})
