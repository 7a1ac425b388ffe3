"""The result of a run."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.files import write_text
from nrpa.search.curve import Point


@dataclass(frozen=True)
class Result:
    """What a run found and how.

    problem, instance, sha256: what was solved (the hash of the instance's bytes). solver, options: by what.
    seed: same seed, same playouts, same result. versions: of Python and the packages that matter.
    status: "optimal" (proved), "target", "time", "playouts", "searches", "no-improvement" or "interrupted".
    score: the best, maximised. figures: the problem's own, computed by its independent check (TSPTW: ``cost`` and
    ``violations``). solution: in the problem's own form.
    playouts, seconds: used by the search. setup_seconds: used before, for reading and for machine code.
    curve: the best score at 0.01 · 2^k seconds and at 2^k playouts. improvements: when the best changed.
    """

    problem: str
    instance: str
    sha256: str
    solver: str
    options: dict[str, Any]
    seed: int
    versions: dict[str, str]
    status: str
    score: float
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

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it: the figures beside the other keys, points as objects."""
        record: dict[str, Any] = {}
        for key, value in self.__dict__.items():
            if key == "figures":
                record.update(value)
            elif key in ("curve", "improvements"):
                record[key] = [point._asdict() for point in value]
            else:
                record[key] = value
        return record

    def to_json(self, path: Any = None) -> str:
        """Return the result as JSON text, and write it to ``path`` (whole or not at all) if one is given."""
        text = json.dumps(self.to_dict(), indent=1) + "\n"
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
        fields: dict[str, Any] = {}
        for name in cls.__dataclass_fields__:
            if name != "figures":
                fields[name] = _checked(record, name)
                del record[name]
        for name in ("curve", "improvements"):
            fields[name] = [_point(point, name) for point in fields[name]]
        return cls(**fields, figures=record)

    def curve_csv(self) -> str:
        """Return the curve as CSV text with the columns seconds, playouts, score."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Point._fields)
        writer.writerows(self.curve)
        return text.getvalue()

    def summary(self) -> str:
        """Return the result in one line."""
        figures = ", ".join(
            f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}"
            for name, value in self.figures.items()
        )
        return (
            f"{' '.join(filter(None, (self.problem, self.instance)))}: {figures} "
            f"({self.status} after {self.seconds:.2f} s, {self.playouts:,} playouts)"
        )


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
    **dict.fromkeys(("options", "versions"), _OBJECT),
    **dict.fromkeys(("curve", "improvements"), _LIST),
}


def _checked(record: dict[str, Any], name: str) -> Any:
    """Return a value of a result's JSON. Raises InputError where it is missing or of another type."""
    if name not in record:
        raise InputError(f"not a result of nrpa (has no key {name!r})")
    value, kind = record[name], _KINDS.get(name, _ANY)
    if not isinstance(value, kind) or (kind in (_NUMBER, _WHOLE) and isinstance(value, bool)):
        raise InputError(f"not a result of nrpa ({name} must be {_WORDS[kind]}, not {json.dumps(value)[:40]})")
    return value


def _point(point: Any, name: str) -> Point:
    """Return a point of a curve. Raises InputError for anything else."""
    if not isinstance(point, dict) or sorted(point) != sorted(Point._fields):
        raise InputError(f"not a result of nrpa (a point of {name} must have {', '.join(Point._fields)})")
    if not all(isinstance(value, (int, float)) for value in point.values()):
        raise InputError(f"not a result of nrpa (a point of {name} must be of numbers)")
    return Point(**point)
