"""Files that are continued: rows in CSVs, and beside them a JSON that says what they are of, and how to show it."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nrpa.base.errors import InputError
from nrpa.base.installed import versions
from nrpa.base.values import WHOLE_DIGITS, number_of, shortened, whole_of
from nrpa.io.files import decoded, is_file, read_bytes, read_json, require_outputs, write_json, write_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.registry import problems
from nrpa.search.curve import PROCESSOR, WALL
from nrpa.search.result import objective_of
from nrpa.search.workers import cores

T = TypeVar("T", int, float)
SEED_DIGITS = 1000
# The objective in whose terms figures are shown where the problem's is not known.
SCORES = Objective("score", sign=1, digits=2)
DIGITS = 2


def lines_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows of fields as lines of a CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


class Row(NamedTuple):
    """A line of a CSV: where it is, and its fields by column. Raises InputError for a field that is no such number."""

    where: str
    fields: dict[str, str]

    def whole(self, name: str, digits: int = WHOLE_DIGITS) -> int:
        """Return a field that is a whole number of at most so many digits."""
        return self._number(name, whole_of(self.fields[name], digits))

    def seed(self) -> int:
        """Return the seed, which may be any that Python can write."""
        return self.whole("seed", SEED_DIGITS)

    def number(self, name: str) -> float:
        """Return a field that is a finite number."""
        return self._number(name, number_of(self.fields[name]))

    def _number(self, name: str, value: T | None) -> T:
        if value is None:
            raise InputError(f"{self.where}: expected a number as {name}, found {shortened(self.fields[name])!r}")
        return value


class Lines(NamedTuple):
    """What a CSV holds: its columns, its lines, and whether a last one was cut short."""

    columns: tuple[str, ...]
    fields: list[Row]
    cut: bool


def read_lines(path: str | os.PathLike[str], *known: Sequence[str], writer: str = "") -> Lines:
    """Return what a CSV with some ``known`` columns holds, which the command ``writer`` wrote, or a person without it.

    A last line without its end was left by a crash, and is left out, unless a person wrote it.
    """
    expected = f"expected a CSV that `{writer}` wrote" if writer else f"expected a CSV of {','.join(known[0])}"
    try:
        given = read_bytes(path)
        if not writer and not given.endswith(b"\n"):
            given += b"\n"
        ended, end, rest = given.rpartition(b"\n")
        head, *lines = decoded(ended or rest).split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; {expected}") from None
    if not head.strip() and not lines:
        raise InputError(f"{path}: is empty; {expected}")
    columns = tuple(head.rstrip("\r").split(","))
    if columns not in map(tuple, known):
        raise InputError(f"{path}:1: expected the columns {','.join(known[0])}, found {shortened(','.join(columns))!r}")
    if not end:
        return Lines(columns, [], True)
    numbered = [(f"{path}:{number}", line.rstrip("\r")) for number, line in enumerate(lines, 2)]
    return Lines(columns, [Row(where, _fields(where, line, columns)) for where, line in numbered], bool(rest))


def _fields(where: str, line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of a line by the names of the columns. Raises InputError, which says ``where`` it is."""
    try:
        fields = next(csv.reader([line], strict=True), [])
    except csv.Error as error:
        raise InputError(f"{where}: is no line of a CSV ({error})") from None
    if len(fields) != len(names):
        raise InputError(f"{where}: expected {len(names)} fields ({','.join(names)}), found {len(fields)}")
    return dict(zip(names, fields, strict=True))


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
        """Write what the rows are of, and on what machine."""
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


def holds(path: Path) -> bool:
    """Return whether a file is there and not empty."""
    return path.exists() and path.stat().st_size > 0


def rewrite(path: Path, text: str) -> None:
    """Write a file unless it holds that text already."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_text(path, text)


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
    """What the JSON beside some records says of them: their objective, None where it is not known, clock and names."""

    objective: Objective | None
    clock: str
    variants: Sequence[str]
    instances: Sequence[str]


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
    return Description(_objective(found, experiment.get("problem")), clock, variants, instances)


def described_objective(problems_of: Iterable[BaseProblem]) -> dict[str, Any] | None:
    """Return the objective that some problems share, as JSON can hold it; None where they differ."""
    objectives = {problem.objective for problem in problems_of}
    return asdict(objectives.pop()) if len(objectives) == 1 else None


def decimals_of(objective: Objective | None, name: str, digits: int | None = None) -> int:
    """Return how many decimals means of a figure have: ``digits`` if given, else 2, or more if the figure has more."""
    return max(DIGITS, (objective or SCORES).of(name).digits) if digits is None else digits


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
