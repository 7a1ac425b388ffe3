"""Options as the fields of a dataclass: default, meaning and range are written once, and checked on construction."""

from __future__ import annotations

import math
from dataclasses import Field, asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from nrpa.base.errors import InputError
from nrpa.base.values import flag, not_negative, positive, whole

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bool, int, float, str)

_KEY = "option"


class Range(NamedTuple):
    """The numbers among which an option is tuned.

    Attributes
    ----------
    low, high : float
        The ends, which belong to it.
    log : bool
        Whether 1 to 2 counts as much as 2 to 4.
    """

    low: float
    high: float
    log: bool = True


Tried = Range | tuple[Any, ...]


@dataclass(frozen=True)
class Terms:
    """What an option means, and the values that it can take.

    Attributes
    ----------
    default : bool, int, float or str
        Its type is that of the option: a flag, a whole number, a positive number, or one of ``choices``.
    meaning : str
        What it means, in a few words; empty where its author does not say.
    least, most : float or None
        The range of a number; from 1 (whole numbers) or above 0 (others) if None. A least
        number of 0 includes 0.
    choices : tuple of str
        The values of an option that is a text; any if empty.
    none : str
        The word for None where the option can be None, else empty.
    tried : Range, tuple or None
        What ``nrpa tune`` tries: the numbers of a range, or these values; nothing if the tuple is empty. None where it
        shall be found out from the default (see ``nrpa.bench.space``).
    """

    default: bool | int | float | str
    meaning: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    none: str = ""
    tried: Tried | None = None

    def checked(self, name: str, value: Any) -> Any:
        """Return the value, a number as one of Python. Raises InputError for one that the option cannot take."""
        if self.none and (value is None or value == self.none):
            return None
        if self.none and isinstance(value, str):
            raise InputError(f"{name} must be a number or {self.none}, not {value!r:.60}")
        if isinstance(self.default, bool):
            return flag(name, value)
        if isinstance(self.default, int):
            least, most = 1 if self.least is None else int(self.least), None if self.most is None else int(self.most)
            return whole(name, value, least, most)
        if isinstance(self.default, float):
            if self.least == 0.0:
                return not_negative(name, value, math.inf if self.most is None else self.most)
            return positive(name, value, self.least or 0.0, math.inf if self.most is None else self.most)
        if self.choices and not (isinstance(value, str) and value in self.choices):
            raise InputError(f"{name} must be one of {', '.join(self.choices)}, not {value!r}")
        return value


def option(
    default: T,
    meaning: str,
    *,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] = (),
    none: str = "",
    tried: Tried | None = None,
) -> T:
    """Return a field of a dataclass for an option; the parameters are those of ``Terms``."""
    found: T = field(default=default, metadata={_KEY: Terms(default, meaning, least, most, choices, none, tried)})
    return found


@dataclass(frozen=True)
class Options:
    """What a class of options is made of: its fields are checked on construction.

    Raises
    ------
    InputError
        For a value that an option cannot take.
    """

    def __post_init__(self) -> None:
        for name, terms in terms_of(type(self)).items():
            object.__setattr__(self, name, terms.checked(name, getattr(self, name)))

    @property
    def options(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self)


def terms_of(options: type[DataclassInstance]) -> dict[str, Terms]:
    """Return what is known of the options of a dataclass by name.

    A field that is not made by ``option`` counts if its default says what it is.
    """
    return {each.name: terms for each in fields(options) if (terms := _terms(each)) is not None}


def _terms(each: Field[Any]) -> Terms | None:
    if _KEY in each.metadata:
        terms: Terms = each.metadata[_KEY]
        return terms
    return Terms(each.default) if isinstance(each.default, (bool, int, float, str)) else None
