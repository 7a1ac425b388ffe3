"""The description that lies beside the records of an experiment: the order of its names, the clock, the objective."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.io.files import is_file
from nrpa.io.text import decoded, read_bytes
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.registry import problems
from nrpa.search.clock import PROCESSOR, WALL
from nrpa.search.result import objective_of

# The objective in whose terms figures are shown where the problem's is not known.
SCORES = Objective("score", sign=1, digits=2)


def description_path(path: str | os.PathLike[str]) -> Path:
    """Return where the description of an experiment lies beside its records: ``NAME.json``."""
    beside = Path(path).with_suffix(".json") if Path(path).name else Path(path)
    if not is_file(beside) and Path(beside.stem).suffix == ".playouts":
        return beside.with_name(beside.stem).with_suffix(".json")
    return beside


class Description(NamedTuple):
    """What the JSON beside some records says of them: their objective, None where it is not known, clock and names."""

    objective: Objective | None
    clock: str
    variants: Sequence[str]
    instances: Sequence[str]


def description_beside(path: str | os.PathLike[str]) -> Description:
    """Return what the JSON beside some records says; nothing where there is none, or it is of something else."""
    try:
        found = json.loads(decoded(read_bytes(description_path(path))))
    except (InputError, ValueError, RecursionError):
        found = {}
    found = found if isinstance(found, dict) else {}
    experiment = found.get("experiment")
    experiment = experiment if isinstance(experiment, dict) else {}
    clock = PROCESSOR if experiment.get("clock") == PROCESSOR else WALL
    names = [experiment.get(kind) for kind in ("variants", "instances")]
    variants, instances = ([*filter(_is_text, each)] if isinstance(each, (dict, list)) else [] for each in names)
    return Description(_objective(found, experiment.get("problem")), clock, variants, instances)


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objectives = {problem.objective for problem in problems_of}
    return asdict(objectives.pop()) if len(objectives) == 1 else None


def order_of(names: Iterable[str]) -> Callable[[str], int]:
    """Return the order of names in a list, for sorting; names that are not in it come last, and are alike."""
    known = {name: number for number, name in enumerate(names)}
    return lambda name: known.get(name, len(known))


def _objective(found: dict[str, Any], name: Any) -> Objective | None:
    """Return the objective; of an older version, which only names the problem, that of an installed one."""
    try:
        if "objective" in found:
            return objective_of(found["objective"])
        known: type[BaseProblem] | None = problems.load(name) if _is_text(name) and name in problems.entries() else None
    except (InputError, ValueError, LookupError, TypeError):
        return None
    return None if known is None else known.objective


def _is_text(name: Any) -> bool:
    return isinstance(name, str)
