"""The result of a run."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.files import write_text
from nrpa.modelling.objective import Objective
from nrpa.search.curve import Point
from nrpa.search.figures import figures_text


@dataclass(frozen=True)
class Result:
    """What a run found and how.

    Problem, instance (its hash), solver, options, inputs, seed and versions are all that a run depends on: the same
    ones and the same playouts give the same result.

    Attributes
    ----------
    problem, instance, sha256 : str
        What was solved; the hash is of the instance's bytes.
    solver : str
        By what.
    options : dict
        The options of the solver and of the problem, by name.
    inputs : dict
        What else the caller gave: ``bias``, ``weights`` and ``warm_start``, each if it was given, by its hash (see
        ``nrpa.search.inputs``); empty if none was.
    seed : int
        Of the random numbers.
    versions : dict
        Of Python and of the packages that matter.
    status : str
        "optimal" (proved), "target", "time", "playouts", "searches", "no-improvement" or "interrupted"; "running" in a
        file that is kept current during the search.
    score : float
        The best, maximised.
    objective : Objective
        What the problem makes of a score: the name of the figure, its sign and the decimals worth printing.
    figures : dict
        The problem's own, computed by its independent check (TSPTW: ``cost`` and ``violations``), made of what JSON
        can hold. Each is an attribute of the result too, ``result.cost``, unless the result has one of that name.
    solution : object
        In the problem's own form, made of what JSON can hold.
    playouts, seconds : int, float
        Used by the search.
    curve, improvements : list of Point
        The best score at 0.01 · 2^k seconds and at 2^k playouts; and when the best changed.
    setup_seconds : float
        Used before the search, for reading and for machine code.

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

    def __getattr__(self, name: str) -> Any:
        """Return one of the problem's figures, as ``result.cost``."""
        figures = self.__dict__.get("figures", {})
        if name in figures:
            return figures[name]
        raise AttributeError(f"a result of {self.__dict__.get('problem')} has no {name!r}")

    def __dir__(self) -> Iterable[str]:
        """Return the names of the attributes, the figures among them."""
        return sorted({*super().__dir__(), *self.figures})

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it: a key for each attribute, the objective and points as objects."""
        points = {name: [point._asdict() for point in getattr(self, name)] for name in _POINTS}
        return {**self.__dict__, "objective": asdict(self.objective), **points}

    def to_json(self, path: Any = None) -> str:
        """Return the result as JSON text, and write it to ``path`` (whole or not at all) if one is given."""
        text = json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"
        if path is not None:
            write_text(path, text)
        return text

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Return the result that ``to_json`` wrote. Raises InputError when the text is something else."""
        try:
            record = json.loads(text)
        except ValueError as error:
            raise InputError(f"not a result of nrpa ({error})") from None
        except RecursionError:
            raise InputError("not a result of nrpa (too many lists within lists)") from None
        if not isinstance(record, dict):
            raise InputError(f"not a result of nrpa (expected an object, found {type(record).__name__})")
        fields = {name: _checked(record, name) for name in cls.__dataclass_fields__}
        fields["objective"] = _objective(fields["objective"])
        for name in _POINTS:
            fields[name] = [_point(point, name) for point in fields[name]]
        return cls(**fields)

    def curve_csv(self) -> str:
        """Return the curve as CSV text with the columns seconds, playouts, score."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Point._fields)
        writer.writerows(self.curve)
        return text.getvalue()

    def summary(self) -> str:
        """Return the result in one line; figures with the decimals that are worth printing."""
        return (
            f"{' '.join(filter(None, (self.problem, self.instance)))}: {figures_text(self.objective, self.figures)} "
            f"({self.status} after {self.seconds:.2f} s, {self.playouts:,} playouts)"
        )


_POINTS = ("curve", "improvements")
_Kind = tuple[type, ...]
_TEXT: _Kind = (str,)
_NUMBER: _Kind = (int, float)
_WHOLE: _Kind = (int,)
_OBJECT: _Kind = (dict,)
_LIST: _Kind = (list,)
_ANY: _Kind = (object,)
_WORDS: dict[_Kind, str] = {
    _TEXT: "text",
    _NUMBER: "a number",
    _WHOLE: "a whole number",
    _OBJECT: "an object",
    _LIST: "a list",
}
_KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("problem", "instance", "sha256", "solver", "status"), _TEXT),
    **dict.fromkeys(("score", "seconds", "setup_seconds"), _NUMBER),
    **dict.fromkeys(("seed", "playouts"), _WHOLE),
    **dict.fromkeys(("options", "inputs", "versions", "objective", "figures"), _OBJECT),
    **dict.fromkeys(_POINTS, _LIST),
}


def _checked(record: dict[str, Any], name: str) -> Any:
    """Return a value of a result's JSON. Raises InputError where it is missing or of another type."""
    if name not in record:
        raise InputError(f"not a result of nrpa (has no key {name!r})")
    value, kind = record[name], _KINDS.get(name, _ANY)
    if not isinstance(value, kind) or (kind in (_NUMBER, _WHOLE) and isinstance(value, bool)):
        raise InputError(f"not a result of nrpa ({name} must be {_WORDS[kind]}, not {json.dumps(value)[:40]})")
    return value


def _objective(record: dict[str, Any]) -> Objective:
    """Return the objective of a result. Raises InputError for anything else."""
    kinds = {"name": _TEXT, "sign": _WHOLE, "digits": _WHOLE, "tie_break": _NUMBER}
    for name, kind in kinds.items():
        if not isinstance(record.get(name), kind):
            raise InputError(f"not a result of nrpa (objective must have {', '.join(kinds)})")
    return Objective(**{name: record[name] for name in kinds})


def _point(point: Any, name: str) -> Point:
    """Return a point of a curve. Raises InputError for anything else."""
    if not isinstance(point, dict) or sorted(point) != sorted(Point._fields):
        raise InputError(f"not a result of nrpa (a point of {name} must have {', '.join(Point._fields)})")
    if not all(isinstance(value, (int, float)) for value in point.values()):
        raise InputError(f"not a result of nrpa (a point of {name} must be of numbers)")
    return Point(**point)
