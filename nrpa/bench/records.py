"""The records of an experiment on disk: CSVs by seconds, by playouts and of how runs ended, and the best solutions."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from nrpa.base.data_frame import data_frame
from nrpa.base.errors import InputError, escaped
from nrpa.bench.description import description_beside, order_of
from nrpa.io.csv_lines import Row, lines_of, read_lines
from nrpa.io.files import exists, read_text, write_text
from nrpa.io.source import bundled
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective, shared
from nrpa.registry import problems
from nrpa.search.curve import WALL, seconds_mark, seconds_text
from nrpa.search.result import Result

BY_SECONDS = ("variant", "instance", "seed", "seconds", "playouts", "score")
BY_PLAYOUTS = ("variant", "instance", "seed", "playouts", "score")

# The objective in whose terms figures are shown where the problem's is not known.
SCORES = Objective("score", sign=1, digits=2)
Key = tuple[str, str, int]
BEST_KNOWN = "best known"
AT_THE_TARGET = ("target", "optimal")


class Record(NamedTuple):
    """The best score of one run at one budget mark.

    Attributes
    ----------
    variant : str
        What ran.
    instance : str
        The instance.
    seed : int
        The seed of the run.
    mark : float
        The budget, in seconds or playouts, as the file counts.
    playouts : int
        The playouts done by then.
    score : float
        The best score by then.
    """

    variant: str
    instance: str
    seed: int
    mark: float
    playouts: int
    score: float

    @property
    def run(self) -> Key:
        """The run it belongs to: variant, instance and seed."""
        return self.variant, self.instance, self.seed


class Records(NamedTuple):
    """What a file holds; ``cut``: a last line was left out; without a known objective, its figures are scores."""

    axis: str
    rows: list[Record]
    cut: bool
    objective: Objective | None = None
    clock: str = WALL
    problem: str = ""

    @property
    def unit(self) -> str:
        """What the marks count, as tables and pictures say it."""
        return seconds_text(self.clock) if self.axis == "seconds" else self.axis

    def best_known(self, instance: str) -> float | None:
        """Return the best known value of a bundled instance; None where there is none, or the objective is another."""
        known = bundled(self.problem).get(instance)
        is_known = known is not None and problems.load(self.problem).objective == self.objective
        return known.best_known.value if known is not None and is_known else None

    def to_frame(self) -> Any:
        """Return the rows as a ``pandas.DataFrame``, with the columns of the file and ``value``."""
        names = {"seconds" if name == "mark" else name: name for name in Record._fields}
        if self.axis == "playouts":
            del names["seconds"]
        columns = {shown: [getattr(row, name) for row in self.rows] for shown, name in names.items()}
        value = (self.objective or SCORES).value
        return data_frame({**columns, "value": [value(row.score) for row in self.rows]})


def playouts_path(path: str | os.PathLike[str]) -> Path:
    """Return where the records by playouts go, ``NAME.playouts.csv``. Raises InputError if the path has no name."""
    if not Path(path).name:
        raise InputError(f"{Path(path)}: expected the name of a CSV file")
    return Path(path).with_suffix(".playouts" + (Path(path).suffix or ".csv"))


def records_of(
    result: Result, key: Key, *, time: float | None = None, playouts: int | None = None
) -> tuple[list[Record], list[Record]]:
    """Return the records of a run; one that ended early keeps its score at the marks that were left."""
    at_seconds: dict[float, Record] = {}
    at_playouts: dict[float, Record] = {}
    seconds_marks = marks(seconds_mark, result.seconds if time is None else time)
    for point in result.curve:
        record = Record(*key, point.seconds, point.playouts, point.score)
        if point.seconds in seconds_marks:
            at_seconds[point.seconds] = record
        else:
            at_playouts[point.playouts] = record._replace(mark=point.playouts)
    end = Record(*key, result.seconds, result.playouts, result.score)
    if time is not None:
        for mark in [*seconds_marks, time]:
            if mark >= min(result.seconds, time):
                at_seconds.setdefault(mark, end._replace(mark=mark))
    if playouts is not None:
        for mark in [*marks(lambda k: float(2**k), playouts), float(playouts)]:
            if mark >= result.playouts:
                at_playouts.setdefault(mark, end._replace(mark=mark, playouts=int(mark)))
    return [at_seconds[mark] for mark in sorted(at_seconds)], [at_playouts[mark] for mark in sorted(at_playouts)]


def marks(mark: Callable[[int], float], end: float) -> list[float]:
    """Return the marks ``mark(0)``, ``mark(1)`` … that are not above an end."""
    return list(takewhile(lambda value: value <= end, map(mark, count())))


def record_lines(rows: Iterable[Record], axis: str) -> str:
    """Return rows as the lines of a file, without its header."""
    return lines_of(
        [r.variant, r.instance, r.seed, *([f"{r.mark:.12g}"] if axis == "seconds" else []), r.playouts, repr(r.score)]
        for r in rows
    )


def is_name(name: str) -> bool:
    """Return whether ``name`` can be that of a variant or an instance: a record is one line."""
    return bool(name) and "\n" not in name and "\r" not in name


def header(axis: str) -> str:
    """Return the first line of a file."""
    return ",".join(BY_SECONDS if axis == "seconds" else BY_PLAYOUTS) + "\n"


def read_records(path: str | os.PathLike[str]) -> Records:
    """Return the records of a file. A last line without its end, left by a crash, is not used.

    Parameters
    ----------
    path : str or path-like
        A CSV that ``nrpa bench`` wrote.

    Returns
    -------
    Records
        What it holds. The rows are scores, as in the file; ``objective`` says how they are shown.

    Raises
    ------
    InputError
        If it is no such file; the message names the file, the line and what was expected.
    """
    columns, lines, cut = read_lines(path, BY_SECONDS, BY_PLAYOUTS, writer="nrpa bench")
    axis = "seconds" if columns == BY_SECONDS else "playouts"
    rows = [*map(_record, lines)]
    beside = description_beside(path)
    return Records(axis, rows, cut, beside.objective, beside.clock, beside.problem)


def _beside(path: str | os.PathLike[str]) -> str:
    """Return what to say where the records by playouts beside an empty file hold runs: they were too short for it."""
    other = playouts_path(path)
    return f"; {other} holds the same runs by playouts" if other.exists() and read_records(other).rows else ""


def join(paths: Sequence[str | os.PathLike[str]]) -> Records:
    """Return the records of several files as one; those of a variant on an instance may be in parts, by seeds."""
    rows: list[Record] = []
    held: dict[tuple[str, str], tuple[str | os.PathLike[str], set[int]]] = {}
    objectives: list[Objective | None] = []
    of: set[str] = set()
    joined = Records("", [], False)
    for path in paths:
        found = read_records(path)
        if not found.rows:
            raise InputError(f"{path}: holds no run; expected lines below the header{_beside(path)}")
        if joined.axis and joined.unit != found.unit:
            raise InputError(f"{path}: counts {found.unit}, but {paths[0]} counts {joined.unit}")
        joined = found._replace(cut=joined.cut or found.cut)
        objectives.append(found.objective)
        of.add(found.problem)
        seeds: dict[tuple[str, str], set[int]] = defaultdict(set)
        for row in found.rows:
            seeds[row.variant, row.instance].add(row.seed)
        for (variant, instance), own in seeds.items():
            other, taken = held.setdefault((variant, instance), (path, set()))
            if other is not path and (taken & own or not _are_parts(other, path)):
                raise InputError(f"{other} and {path} both hold the variant {variant} on {instance}")
            taken |= own
        rows += _as_named(path, found.rows)
    return joined._replace(rows=rows, objective=shared(objectives), problem=of.pop() if len(of) == 1 else "")


def _are_parts(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Return whether two files hold parts of one experiment, as the JSON beside them says."""
    return description_beside(one).shared == description_beside(other).shared != {}


def _as_named(path: str | os.PathLike[str], rows: Sequence[Record]) -> list[Record]:
    """Return rows in the order of the experiment; in a file they stand in the order in which the runs ended."""
    beside = description_beside(path)
    variants, instances = order_of(beside.variants), order_of(beside.instances)
    return sorted(rows, key=lambda row: (instances(row.instance), variants(row.variant)))


def _record(row: Row) -> Record:
    playouts, fields = row.whole("playouts"), row.fields
    mark = row.number("seconds") if "seconds" in fields else playouts
    return Record(fields["variant"], fields["instance"], row.seed(), mark, playouts, row.number("score"))


class End(NamedTuple):
    """How a run ended; ``figures`` are those of its best solution, as ``cost=878.64 violations=0``."""

    variant: str
    instance: str
    seed: int
    status: str
    seconds: float
    playouts: int
    value: float
    figures: str

    @property
    def run(self) -> Key:
        """The run: variant, instance and seed."""
        return self.variant, self.instance, self.seed


def target_on(problem: BaseProblem, target: Any) -> float | list[float] | None:
    """Return the value at which a run ends, None where that is a proven bound; a known one with decimals is rounded.

    Raises InputError where there is none, or the problem's objective has no such value.
    """
    if not isinstance(target, str):
        if target is not None:
            problem.objective.score(target)
        of_problem: float | list[float] | None = target
        return of_problem
    known, objective = problem.best_known, problem.objective
    if known is None and problem.bound() is None:
        raise InputError(f"{problem.label}: has no best known value, which is the target")
    if known is None:
        return None
    rounding = 0.0 if known.value.is_integer() else 0.51 * 10.0**-objective.digits
    return known.value - objective.sign * rounding


def runs_path(path: str | os.PathLike[str]) -> Path:
    """Return where the ends of the runs go."""
    return Path(path).with_suffix(".runs.csv")


def end_of(result: Result, key: Key) -> End:
    """Return how a run ended."""
    figures = escaped(" ".join(f"{name}={value}" for name, value in result.figures.items()))
    return End(*key, result.status, round(result.seconds, 3), result.playouts, result.value, figures)


def read_ends(path: Path) -> list[End]:
    """Return the rows of a file, in the order in which the runs ended. Raises InputError if it is another file."""
    return [
        End(
            row.fields["variant"],
            row.fields["instance"],
            row.seed(),
            row.fields["status"],
            row.number("seconds"),
            row.whole("playouts"),
            row.number("value"),
            row.fields["figures"],
        )
        for row in read_lines(path, End._fields, writer="nrpa bench").fields
    ]


class BestRun(NamedTuple):
    """The best run of a variant on an instance; of equal scores that of the lowest seed."""

    variant: str
    instance: str
    result: Result


def best_path(path: Path) -> Path:
    """Return where the best solutions go, beside the description."""
    return path.with_suffix(".best.json")


def read_best(path: Path) -> list[BestRun]:
    """Return the best runs that a file holds; none if it is not there, as it is not beside older records."""
    return best_runs(read_text(path, "the best solutions of `nrpa bench`"), path) if exists(path) else []


def best_runs(text: str, path: str | Path) -> list[BestRun]:
    """Return the best runs that the text of such a file holds; InputError, which names the file, if there are none."""
    try:
        return [
            BestRun(str(entry["variant"]), str(entry["instance"]), Result.from_json(json.dumps(entry["result"])))
            for entry in json.loads(text)["best"]
        ]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: holds no best solutions of `nrpa bench` ({error})") from None


class BestFile:
    """The file of the best solutions, written anew, whole or not at all, when one is better."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs = {(run.variant, run.instance): run for run in read_best(path)}

    def take(self, key: Key, result: Result) -> None:
        """Take note of a run, and write the file if it is the best of its variant on its instance so far."""
        variant, instance, _ = key
        kept = self._runs.get((variant, instance))
        if kept is not None and (kept.result.score, -kept.result.seed) >= (result.score, -result.seed):
            return
        self._runs[variant, instance] = BestRun(variant, instance, result)
        entries = [{**run._asdict(), "result": run.result.to_dict()} for _, run in sorted(self._runs.items())]
        write_text(self._path, json.dumps({"best": entries}, allow_nan=False) + "\n")
