"""The JSON beside records: the experiment or match, the versions, the machine, and the objective of the figures."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.base.installed import versions
from nrpa.base.values import shortened
from nrpa.io.csv_lines import holds
from nrpa.io.files import is_file, read_json, require_outputs, write_json
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective, shared
from nrpa.registry import problems
from nrpa.search.curve import PROCESSOR, WALL
from nrpa.search.result import objective_of
from nrpa.search.workers import cores


class ContinuedFiles:
    """The files of an experiment, or of a match: ``out``, and ``description``, the JSON beside it."""

    kind, done = "experiment", "run"

    def __init__(self, out: str | os.PathLike[str]) -> None:
        self.out = Path(out)
        if not self.out.name or self.out.suffix == ".json":
            raise InputError(f"{out}: expected the name of a CSV file; what was {self.done} goes into NAME.json")
        self.description = self.out.with_suffix(".json")
        self.rows: tuple[Path, ...] = (self.out,)  # CSVs that cannot be there without the description
        self.others: tuple[Path, ...] = ()

    def require_possible(self, inputs: Iterable[str | os.PathLike[str]]) -> None:
        """Raise InputError unless all files can be written, and none is also read, which ``inputs`` are."""
        files = (*self.rows, self.description, *self.others)
        require_outputs({f"--out {self.out}: {path.name}": path for path in files}, inputs)

    def describe(self, description: dict[str, Any]) -> None:
        """Write the description of the rows, and of the machine."""
        if self.description.exists():
            beside = f"--out {self.out}: {self.description.name} beside it"
            try:
                before = dict(read_json(self.description)[self.kind])
                differing = self._differing(before, description[self.kind])
            except (ValueError, LookupError, TypeError):
                article = "an" if self.kind == "experiment" else "a"
                what = f"is not the description of {article} {self.kind}, which belongs there"
                raise InputError(f"{beside} {what}; choose another file") from None
            if differing:
                raise InputError(f"{beside} was made with {differing}; choose another file")
        else:
            for path in filter(holds, self.rows):
                raise InputError(f"{path}: exists, but not {self.description}, which says what was {self.done}")
        whole = {**description, "versions": versions(), "machine": {"processor": _processor(), "cores": cores()}}
        write_json(self.description, whole)

    def _differing(self, before: dict[str, Any], now: dict[str, Any]) -> str:
        """Return why ``now`` does not continue what was done ``before``; empty if it does."""
        for key, value in json.loads(json.dumps(now)).items():
            if before.get(key) != value:
                return f"{key} {shortened(_said(before.get(key)))}, not {shortened(_said(value))}"
        return ""


def _said(value: Any) -> str:
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def description_path(path: str | os.PathLike[str]) -> Path:
    """Return where the description of an experiment lies beside its records: ``NAME.json``."""
    beside = Path(path).with_suffix(".json") if Path(path).name else Path(path)
    if not is_file(beside) and Path(beside.stem).suffix == ".playouts":
        return beside.with_name(beside.stem).with_suffix(".json")
    return beside


class Description(NamedTuple):
    """What the JSON beside some records says: their objective, None where it is not known, clock, names, problem.

    ``shared`` is what parts of one experiment, which have other seeds, have in common; empty where it is not known.
    """

    objective: Objective | None
    clock: str
    variants: Sequence[str]
    instances: Sequence[str]
    shared: dict[str, Any]
    problem: str = ""


def description_beside(path: str | os.PathLike[str]) -> Description:
    """Return what the JSON beside some records says; nothing where there is none, or it is of something else."""
    try:
        found = read_json(description_path(path))
    except InputError:
        found = {}
    found = found if isinstance(found, dict) else {}
    experiment = found.get("experiment")
    experiment = experiment if isinstance(experiment, dict) else {}
    clock = PROCESSOR if experiment.get("clock") == PROCESSOR else WALL
    names = [experiment.get(kind) for kind in ("variants", "instances")]
    variants, instances = ([*filter(_is_text, each)] if isinstance(each, (dict, list)) else [] for each in names)
    shared = {key: value for key, value in experiment.items() if key not in ("seed", "runs")}
    problem = experiment.get("problem")
    said = str(problem) if _is_text(problem) else ""
    return Description(_objective(found, problem), clock, variants, instances, shared, said)


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objective = shared(problem.objective for problem in problems_of)
    return None if objective is None else asdict(objective)


def order_of(names: Iterable[str]) -> Callable[[str], int]:
    """Return the order of names in a list, for sorting; names that are not in it come last, and are alike."""
    known = {name: number for number, name in enumerate(names)}
    return lambda name: known.get(name, len(known))


def _objective(found: dict[str, Any], name: Any) -> Objective | None:
    """Return the objective; of an older version, which knew it or its penalty not, that of the installed problem."""
    try:
        said = objective_of(found["objective"]) if "objective" in found else None
        if said is not None and "penalty" in found["objective"]:
            return said
        known: type[BaseProblem] | None = problems.load(name) if _is_text(name) and name in problems.entries() else None
    except (InputError, ValueError, LookupError, TypeError):
        return None
    return known.objective if known is not None and said in (None, known.objective) else said


def _is_text(name: Any) -> bool:
    return isinstance(name, str)
