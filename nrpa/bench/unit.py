"""The objective in whose terms the figures of an experiment are shown; scores where it is not known."""

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


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objectives = {problem.objective for problem in problems_of}
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


def require_same_side(what: str, value: float, figures: Iterable[float], objective: Objective | None) -> None:
    """Raise InputError if a value has another sign than all that it is compared with: a score given as a cost."""
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
