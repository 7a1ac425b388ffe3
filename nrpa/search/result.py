"""The result of a run: how its figures are printed, and what its record keeps of the inputs, their hashes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from html import escape
from types import CodeType
from typing import Any

import numpy as np

from nrpa.base.byte_code import hash_of_code
from nrpa.base.errors import InputError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import plain, shortened, unwritable
from nrpa.io.files import BYTE_ORDER_MARK, read_json, write_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.digest import contents_of, digest
from nrpa.modelling.learned_bias import LearnedBias
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.search.curve import Point, curve_svg, of_clock

frames = lazy("nrpa.base.data_frame")
statuses = lazy("nrpa.engine.status")
# The fewest digits of a figure that is not the objective, and the most decimals.
SIGNIFICANT = 4
MOST_DECIMALS = 10
LONGEST_FAULT = 100


def described_input(given: Any) -> dict[str, Any]:
    """Return what a record says of a bias, or of weights."""
    if callable(given):
        return {"kind": "function", "name": _name(given), "sha256": _code_hash(given)}
    if isinstance(given, Mapping):
        entries = sorted(f"{plain(code)!r} {float(value).hex()}" for code, value in given.items())
        return {"kind": "mapping", "entries": len(entries), "sha256": _hash("\n".join(entries).encode())}
    values = np.ascontiguousarray(given, "<f8")
    return {"kind": "array", "entries": values.size, "sha256": _hash(values.tobytes())}


def described_bias(problem: BaseProblem, given: Any) -> dict[str, Any]:
    """Return what a record says of a bias that a problem has been given."""
    by_code = problem.bias_by_code()
    if isinstance(given, LearnedBias):
        return given.described()
    described = described_input(given if by_code is None else by_code)
    if described["kind"] == "function" and isinstance(problem, CompiledProblem):
        # What it has captured is part of its machine code.
        described["sha256"] = digest(contents_of(given))
    return described


def described_prior(problem: BaseProblem) -> dict[str, Any]:
    """Return what a record says of a problem's prior from outside, as an entry of its inputs; none without one."""
    return {} if problem._prior is None else {"prior": described_input(problem._prior.function)}


def described_solution(solution: Any) -> dict[str, Any]:
    """Return what a record says of the solution that a search starts from: the hash of its JSON without blanks."""
    return {"kind": "solution", "sha256": _hash(json.dumps(plain(solution), separators=(",", ":")).encode())}


def _name(function: Any) -> str:
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"


def _code_hash(function: Any) -> str:
    compiled_from = getattr(function, "py_func", function)
    is_function = hasattr(compiled_from, "__code__")
    code = getattr(compiled_from if is_function else type(function).__call__, "__code__", None)
    return hash_of_code(code) if isinstance(code, CodeType) else ""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def unwritable_figures(figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each figure that JSON cannot hold.

    >>> unwritable_figures({"cost": float("inf"), "stops": (1, 2)})
    ["the figure 'cost' must be of finite numbers, text, lists and dicts, not inf (float)"]
    """
    sentences = []
    for name, value in figures.items():
        if not isinstance(name, str):
            sentences.append(f"the name of a figure must be text, not {name!r}")
        elif found := unwritable(value):
            sentences.append(f"the figure {name!r} must be of finite numbers, text, lists and dicts, not {found}")
    return sentences


def figure_text(objective: Objective, name: str, value: Any) -> str:
    """Return a figure as it is printed.

    >>> cost = Objective("cost", sign=-1, digits=2)
    >>> figure_text(cost, "cost", 878.6397), figure_text(cost, "share", 0.0123456), figure_text(cost, "missed", 3)
    ('878.64', '0.01235', '3')
    """
    objective = objective.of(name)
    if not isinstance(value, float):
        return "none" if value is None else escaped(str(value))
    if name == objective.name or value == 0 or not math.isfinite(value):
        return objective.text(value)
    decimals = max(objective.digits, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
    if decimals > max(objective.digits, MOST_DECIMALS):
        return f"{value:.{SIGNIFICANT}g}"
    text = f"{value:.{decimals}f}"
    surplus = len(text) - len(text.rstrip("0"))
    kept = max(objective.digits, decimals - surplus)
    return f"{value:.{kept}f}"


def figures_text(objective: Objective, figures: Mapping[str, Any]) -> str:
    """Return the figures in one line, each after its name.

    >>> figures_text(Objective("cost", sign=-1, digits=2), {"cost": 38.0, "violations": 1})
    'cost 38.00, violations 1'
    """
    return ", ".join(f"{escaped(name)} {figure_text(objective, name, value)}" for name, value in figures.items())


def comparison(problem: BaseProblem, score: float) -> str:
    """Return the best known value of an instance and the gap to it, as text."""
    known = problem.best_known
    if known is None:
        return ""
    text = problem.objective.text(known.value)
    how = "proven optimal" if known.proven_by else "not proven optimal"
    return "; ".join(filter(None, [f"{text} ({how})", gap_text(problem, score, "gap ")]))


def gap_text(problem: BaseProblem, score: float, before: str = "") -> str:
    """Return by how much a score falls short of the best known value, after a word; or its faults, if it has any."""
    objective, known = problem.objective, problem.best_known
    value = objective.value(score)
    if faults := objective.faults(value):
        return objective.faults_text(faults)
    if known is None or known.value == 0:
        return ""
    gap = 100 * objective.sign * (known.value - value) / abs(known.value)
    return f"{before}> 1000 %" if gap > 1000 else f"{before}{gap:z.2f} %"


def has_gap(problem: BaseProblem) -> bool:
    """Return whether scores have a gap: to a best known value, other than 0, or to those without faults."""
    known = problem.best_known
    return problem.objective.penalty > 0 or (known is not None and known.value != 0)


@dataclass(frozen=True, repr=False)
class Result:
    """What a run found, and how.

    Problem, instance, solver, options, inputs, seed and versions are all that a run depends on: the same ones and the
    same number of playouts give the same result where it is ``repeatable``.

    Attributes
    ----------
    problem : str
        The name of the problem.
    instance : str
        The name of the instance; empty where it has none.
    sha256 : str
        The hash of the instance, in hex: of the bytes of its file, or of what it was made of.
    solver : str
        The name of the solver.
    options : dict
        The options of the solver and of the problem, by name.
    inputs : dict
        What else the caller gave: ``bias``, ``prior``, ``weights`` and ``warm_start``, each only if it was given, by
        its hash (see ``nrpa.search.result``); how often a prior was called, and the seconds spent in it.
    seed : int
        The seed of the random numbers.
    versions : dict of str to str
        The versions of ``nrpa``, ``numpy``, ``numba`` and ``python``.
    status : str
        Why the search stopped:

        - "optimal": it reached a bound that the problem proves, so that no solution is better; or a tree search has
          been everywhere that the problem's moves lead to;
        - "target": it reached the target, or the value at which the problem's task is done;
        - "time", "playouts" or "searches": that limit is used up;
        - "no-improvement": the best had not improved for as long as was asked;
        - "interrupted": Ctrl-C was pressed;
        - "callback": ``on_improvement`` or ``on_slice`` returned True;
        - "running": it has not, in a file that is kept current during the search;
        - or the status of a criterion of the caller's own.
    score : float
        The best score; the search maximises it.
    objective : Objective
        How to read the score: the name of the figure that users think in, its sign, and the decimals worth printing.
    figures : dict
        The problem's own figures by name, computed by its independent check (TSPTW: ``cost`` and ``violations``), made
        of what JSON can hold. Each is an attribute of the result as well, ``result.cost``, unless the result has
        another attribute of that name.
    solution : object
        The best solution in the problem's own form, made of what JSON can hold: moves that are tuples are lists in it,
        and ``problem.own_moves(result.solution)`` returns them as they were.
    playouts : int
        The playouts that the search has done.
    seconds : float
        The seconds that it took, machine code and reading left out.
    curve : list of Point
        The best score at each 0.01 · 2^k seconds and at each 2^k playouts.
    improvements : list of Point
        Each new best, with the time and the playout at which it was found.
    setup_seconds : float
        The seconds of preparing, which no limit counts: reading, machine code, the check of the first solution.
    workers : int
        How many workers there were.
    clock : {"wall", "processor"}
        What its seconds are: those on the wall, or the processor time of the thread that searched.
    faults : list of str or None
        What the problem's check finds wrong with the solution, in words; empty if it is valid. None in a record of
        version 0.2 or older, which does not say.
    faults_counted : bool
        Whether the score counts them, as a penalty does: a tour that misses windows is not valid, but it is what TSPTW
        asks for until a better one is found. Faults that no score counts are a fault of the instance or the problem.
    chosen : str or None
        What the solver ``auto`` chose, and why; with several workers, for the first one. None for other solvers.
    front : list of dict or None
        What the solver ``pareto`` found: the solutions that none it has met beats in all goals, the best by the first
        goal first, each a dictionary with its ``figures`` and the ``solution``. None for other solvers.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> result = nrpa.solve(problem, nrpa.GNRPA(level=2, tau=1.4), seed=1, playouts=500)
    >>> result.status, result.playouts, result.figures["cost"] == result.cost
    ('playouts', 500, True)
    >>> Result.from_json(result.to_json()) == result
    True
    """

    problem: str
    instance: str
    sha256: str
    solver: str
    options: dict[str, Any]
    inputs: dict[str, Any]
    seed: int
    versions: dict[str, str]
    status: str
    score: float
    objective: Objective
    figures: dict[str, Any]
    solution: Any
    playouts: int
    seconds: float
    curve: list[Point] = field(repr=False)
    improvements: list[Point] = field(repr=False)
    setup_seconds: float
    workers: int = 1
    clock: str = "wall"
    faults: list[str] | None = None
    faults_counted: bool = False
    chosen: str | None = None
    front: list[dict[str, Any]] | None = None
    how_computed: str | None = None

    def __repr__(self) -> str:
        return f"<Result {self.summary()}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the figures, how they came about, and the curve as a line."""
        rows = [
            ("instance", " ".join(filter(None, (self.problem, self.instance)))),
            *((name, figure_text(self.objective, name, value)) for name, value in self.figures.items()),
            ("valid", valid_text(self)),
            ("status", self.status),
            ("search", f"{self.solver}, seed {self.seed}: {self.playouts:,} playouts in {self._seconds_text()}"),
        ]
        cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows)
        end = Point(self.seconds, self.playouts, self.score)
        return f"<table>{cells}</table>{curve_svg([*self.improvements, end], self.objective)}"

    def _seconds_text(self) -> str:
        return f"{self.seconds:.2f} s{of_clock(self.clock)}"

    def __getattr__(self, name: str) -> Any:
        """Return one of the problem's figures, as in ``result.cost``."""
        figures = self.__dict__.get("figures", {})
        if name in figures:
            return figures[name]
        raise AttributeError(f"a result of {self.__dict__.get('problem')} has no {name!r}")

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self.figures})

    @property
    def value(self) -> float:
        """The best objective value, in the problem's own terms (TSPTW: a cost, with the penalty of missed windows)."""
        return self.objective.value(self.score)

    @property
    def valid(self) -> bool | None:
        """Whether the check finds nothing wrong with the solution; None where the record does not say."""
        return None if self.faults is None else not self.faults

    def to_frame(self) -> Any:
        """Return the anytime curve as a ``pandas.DataFrame``: ``seconds``, ``playouts``, ``score`` and ``value``.

        It has a row for each point. ``value`` is the score in the problem's own terms. Raises InputError if pandas is
        not installed.
        """
        columns = {name: [getattr(point, name) for point in self.curve] for name in Point._fields}
        return frames.data_frame({**columns, "value": [self.objective.value(point.score) for point in self.curve]})

    def to_dict(self) -> dict[str, Any]:
        """Return the result as it is written as JSON: an entry for each attribute, and ``valid``.

        The objective and the points are dictionaries, too. ``chosen``, ``front`` and ``how_computed`` are left
        out where they are None.
        """
        points = {name: [point._asdict() for point in getattr(self, name)] for name in _POINTS}
        record = {**self.__dict__, "objective": asdict(self.objective), **points, "valid": self.valid}
        return {name: value for name, value in record.items() if value is not None or name not in _LEFT_OUT}

    def to_json(self, path: Any = None) -> str:
        """Return the result as JSON text, and write it to a file if one is given, whole or not at all.

        Raises InputError if the file cannot be written.
        """
        text = json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"
        if path is not None:
            write_text(path, text)
        return text

    @classmethod
    def from_json(cls, text: str | os.PathLike[str]) -> Result:
        """Return the result that ``to_json`` has written.

        It is given as text, or by the path (a ``pathlib.Path``) of a file. Raises InputError if the text is anything
        else; the message names what is missing or wrong.
        """
        try:
            record = json.loads(text.removeprefix(BYTE_ORDER_MARK)) if isinstance(text, str) else read_json(text)
        except ValueError as error:
            raise InputError(f"not a result of nrpa ({error})") from None
        except RecursionError:
            raise InputError("not a result of nrpa (too many lists within lists)") from None
        if not isinstance(record, dict):
            raise InputError(f"not a result of nrpa (expected an object, found {type(record).__name__})")
        values = {name: _checked({**_NOT_SAID, **record}, name) for name in cls.__dataclass_fields__}
        values["objective"] = objective_of(values["objective"])
        if values["front"] is not None:
            checked_front(values["front"])
        for name in _POINTS:
            values[name] = [_point(point, name) for point in values[name]]
        return cls(**values)

    def curve_csv(self) -> str:
        """Return the curve as CSV: ``seconds``, ``playouts`` and ``score``, a line for each point."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Point._fields)
        writer.writerows(self.curve)
        return text.getvalue()

    @property
    def repeatable(self) -> bool:
        """Whether the same seed and playouts give the same result: not where several workers share one tree."""
        return self.workers == 1 or self.options.get("parallel") != "tree"

    def summary(self) -> str:
        """Return the result in one line: instance, figures, whether it is not valid, status, seconds and playouts.

        That of a cost in plain Python ends with a sentence that says whether it was compiled, or why not.
        """
        named = " ".join(filter(None, (self.problem, self.instance)))
        validity = ", not valid" if self.faults else ""
        if self.faults and self.score == -statuses.LARGEST_SCORE:
            validity += f": {escaped(self.faults[0])}"
        course = f"{self.status} after {self._seconds_text()}, {self.playouts:,} playouts"
        said = f". {escaped(self.how_computed)}" if self.how_computed else ""
        return f"{escaped(named)}: {figures_text(self.objective, self.figures)}{validity} ({course}){said}"


def valid_text(result: Result) -> str:
    """Return whether a result's solution is valid; if not, whether its score counts that, and the first fault."""
    if not result.faults:
        return "not said" if result.faults is None else "yes"
    first, *others = result.faults
    more = f", and {len(others):,} more" if others else ""
    which = "" if result.faults_counted else ", which its score does not count"
    return f"no{which}: {escaped(shortened(first, LONGEST_FAULT))}{more}"


_POINTS = ("curve", "improvements")
_LEFT_OUT = ("chosen", "front", "how_computed")
# What JSON has for the types of the attributes, and what messages call it; any other attribute is anything.
_KINDS: dict[Any, tuple[Any, str]] = {
    "str": (str, "text"),
    "float": ((int, float), "a number"),
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
    "str | None": ((str, type(None)), "text or null"),
    "list[Point]": (list, "a list"),
    "list[str] | None": ((list, type(None)), "a list of texts or null"),
    **dict.fromkeys(("dict[str, Any]", "dict[str, str]", "Objective"), (dict, "an object")),
}
# What the records of older versions lack.
_NOT_SAID = {each.name: each.default for each in fields(Result) if each.default is not MISSING}


def _checked(record: dict[str, Any], name: str) -> Any:
    if name not in record:
        raise InputError(f"not a result of nrpa (has no key {name!r})")
    value, kind = record[name], Result.__dataclass_fields__[name].type
    allowed, words = _KINDS.get(kind, (object, ""))
    is_other = kind == "list[str] | None" and value and not all(isinstance(text, str) for text in value)
    if is_other or not isinstance(value, allowed) or (isinstance(value, bool) and kind in ("int", "float")):
        raise InputError(f"not a result of nrpa ({name} must be {words}, not {json.dumps(value)[:40]})")
    return value


def objective_of(record: dict[str, Any]) -> Objective:
    """Return the objective of a result. Raises InputError for anything else."""
    if "parts" in record:
        try:
            parts = [Objective(**part) for part in record["parts"]]
            return Lexicographic(*parts, most=record["most"])
        except (TypeError, KeyError, InputError) as error:
            raise InputError(f"not a result of nrpa (objective: {error})") from None
    names = [name for name in Objective.__dataclass_fields__ if name in record]
    if not {"name", "sign", "digits", "tie_break"}.issubset(names):
        raise InputError("not a result of nrpa (objective must have name, sign, digits, tie_break)")
    try:
        return Objective(**{name: record[name] for name in names})
    except InputError as error:
        raise InputError(f"not a result of nrpa (objective: {error})") from None


def _point(point: Any, name: str) -> Point:
    if not isinstance(point, dict) or sorted(point) != sorted(Point._fields):
        raise InputError(f"not a result of nrpa (a point of {name} must have {', '.join(Point._fields)})")
    if not all(isinstance(value, (int, float)) for value in point.values()):
        raise InputError(f"not a result of nrpa (a point of {name} must be of numbers)")
    return Point(**point)


def checked_front(front: Any) -> list[dict[str, Any]]:
    """Return the front that a record holds. Raises InputError for anything else."""
    entries: list[Any] = front if isinstance(front, list) else [None]
    for entry in entries:
        figures = entry.get("figures") if isinstance(entry, dict) and "solution" in entry else None
        if not isinstance(figures, dict) or not all(isinstance(value, (int, float)) for value in figures.values()):
            raise InputError("not a result of nrpa (front must be a list of figures, each with its solution)")
    return entries
