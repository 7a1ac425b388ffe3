"""Options of solvers, the fields of a dataclass, and of problems: default, meaning and range are written once."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, asdict, dataclass, field, fields, replace
from textwrap import fill
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, overload

from nrpa.base.errors import InputError, did_you_mean
from nrpa.base.values import (
    LARGEST_WHOLE,
    finite,
    flag,
    not_negative,
    number_of,
    positive,
    require_known,
    shortened,
    shown,
    whole,
    whole_of,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bool, int, float, str)
V = TypeVar("V", bound=bool | int | float | str)
Class = TypeVar("Class", bound="type[Any]")

_KEY = "option"
_INDENT = "    "
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


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
    """What an option of a solver or a problem means, and the values that it can take: those of its default's type.

    - ``meaning``: A few words, as the command line shows them; empty where the author gives none.
    - ``least``, ``most``: The range of a number; if ``least`` is None, from 1 (whole numbers) or above 0 (others).
    - ``none``: The word for None where the option can be None, else empty.
    - ``tried``: What ``nrpa tune`` tries: the numbers of a range, or these values (nothing if empty); None to derive it
      from the default (``nrpa.bench.space``).
    - ``details``: Sentences that follow the meaning in the documentation.
    - ``by_level``: Whether it can be a list, too: a value for each level, from level 1 up, the last for all above.
    """

    default: bool | int | float | str
    meaning: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    none: str = ""
    tried: Tried | None = None
    details: str = ""
    by_level: bool = False

    def checked(self, name: str, value: Any) -> Any:
        """Return the value, a number as one of Python. Raises InputError for one that the option cannot take."""
        if self.by_level and isinstance(value, (list, tuple)):
            if not value:
                raise InputError(f"{name} must have a value for a level at least, not an empty list")
            return tuple(replace(self, by_level=False).checked(name, each) for each in value)
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
            return self._checked_float(name, value)
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            expected = f"one of {', '.join(self.choices)}" if self.choices else "text"
            meant = did_you_mean(value, self.choices) if isinstance(value, str) else ""
            raise InputError(f"{name} must be {expected}, not {shown(value)}{meant and f'; {meant}'}")
        return value

    def _checked_float(self, name: str, value: Any) -> float:
        most = math.inf if self.most is None else self.most
        if self.least == -math.inf:
            return finite(name, value)
        return not_negative(name, value, most) if self.least == 0.0 else positive(name, value, self.least or 0.0, most)

    def entry(self, name: str) -> str:
        """Return the option as an entry of numpydoc's Parameters."""
        values = f"{{{', '.join(map(_quoted, self.choices))}}}" if self.choices else type(self.default).__name__
        if isinstance(self.default, (int, float)) and not isinstance(self.default, bool):
            values += self._range()
        if self.none:
            values += f" or {_quoted(self.none)}"
        if self.by_level:
            values += ", or a list of them by level"
        default = _quoted(self.default) if isinstance(self.default, str) else self.default
        text = fill(
            f"{self.meaning.rstrip('.')}. {self.details}".strip(),
            110,
            initial_indent=_INDENT,
            subsequent_indent=_INDENT,
        )
        return f"{name} : {values}, default {default}\n{text}"

    def _range(self) -> str:
        is_whole = isinstance(self.default, int)
        least = 1 if is_whole and self.least is None else self.least
        if least == -math.inf:
            return ""
        if self.most is None or self.most == LARGEST_WHOLE:
            return " above 0" if least is None else f" of at least {least:g}"
        shown = str(self.most) if is_whole else f"{self.most:g}"
        return f" above 0, to {shown}" if least is None else f" from {least:g} to {shown}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def option(default: T, meaning: str, **terms: Any) -> T:
    """Return a field of a dataclass for an option; the parameters are those of ``Terms``."""
    found: T = field(default=default, metadata={_KEY: Terms(default, meaning, **terms)})
    return found


def documented(cls: Class) -> Class:
    """Add the sections Parameters and Raises to the docstring of a dataclass of options, made of its fields."""
    if cls.__doc__:
        cls.__doc__ = with_entries(cls.__doc__, terms_of(cls), "If a value is out of range.")
    return cls


def with_entries(text: str, terms: Mapping[str, Terms], raises: str) -> str:
    """Return a docstring whose Parameters have options as well, and which says when InputError is raised."""
    text = inspect.cleandoc(text)
    entries = [each.entry(name) for name, each in terms.items() if not re.search(rf"^{name} : ", text, re.MULTILINE)]
    if entries:
        heading = [] if "Parameters\n----------" in text else ["", "Parameters\n----------"]
        text = inserted(text, [*heading, *entries], "Attributes|Raises|Notes|References|Examples")
    if terms and "Raises\n------" not in text:
        text = inserted(text, ["", "Raises\n------", f"InputError\n{_INDENT}{raises}"], "Notes|References|Examples")
    return text


def inserted(text: str, lines: list[str], sections: str) -> str:
    """Return a docstring with lines before the first of some sections, or at its end."""
    section = re.search(rf"^({sections})\n-+$", text, re.MULTILINE)
    at = section.start() if section else len(text)
    return "\n".join([text[:at].rstrip(), *lines, "", text[at:]]).rstrip()


@dataclass(frozen=True)
class Keywords:
    """A base class of dataclasses: InputError, with a name that is near, for a keyword that is no field."""

    def __new__(cls, *_: Any, **given: Any) -> Self:
        """Look at the names of keywords; dataclasses do the rest."""
        require_known(cls.__name__, given, [each.name for each in fields(cls)])
        return super().__new__(cls)


@dataclass(frozen=True)
class Options(Keywords):
    """A base class that checks the fields on construction: InputError for a value that an option cannot take."""

    def __post_init__(self) -> None:
        for name, terms in terms_of(type(self)).items():
            object.__setattr__(self, name, terms.checked(name, getattr(self, name)))

    @property
    def options(self) -> dict[str, Any]:
        """The options by name, as JSON has them: a tuple as a list."""
        return {name: [*value] if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Return options as they are given at the command line.

    >>> words_of({"level": None, "iterations": (200, 50), "improve": True, "bias": False})
    ['--level', 'auto', '--iterations', '200,50', '--improve', '--no-bias']
    """
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            values = value if isinstance(value, (list, tuple)) else (value,)
            words += [f"--{flag}", "auto" if value is None else ",".join(map(str, values))]
    return words


def options_of(words: Sequence[str]) -> dict[str, str]:
    """Return what words of the command line give, by the name of the option, as text. Raises InputError for others.

    >>> options_of(["--level", "auto", "--adapt-after=2", "--improve", "--no-bias"])
    {'level': 'auto', 'adapt_after': '2', 'improve': 'yes', 'bias': 'no'}
    """
    found, left = dict[str, str](), list(words)
    while left:
        flag, equals, value = left.pop(0).partition("=")
        if not flag.startswith("--"):
            raise InputError(f"expected an option, as in --level 3, found {shortened(flag)!r}")
        name, is_followed = flag[2:].replace("-", "_"), bool(left) and not left[0].startswith("--")
        if name.startswith("no_") and not equals:
            found[name[3:]] = "no"
        else:
            found[name] = value if equals else left.pop(0) if is_followed else "yes"
    return found


def parse_option_value(default: Any, value: Any) -> Any:
    """Return the value that a text means for an option.

    >>> [parse_option_value(default, value) for default, value in ((True, "no"), (3, "2"), (1.0, "2"), ("", "2"))]
    [False, 2, 2.0, '2']
    >>> parse_option_value(3, "300,20")
    (300, 20)
    >>> parse_option_value(True, "maybe")
    'maybe'
    """
    if not isinstance(value, str) or isinstance(default, str):
        return value
    if isinstance(default, bool):
        return _FLAGS.get(value.lower(), value)
    if "," in value:
        return tuple(parse_option_value(default, part) for part in value.split(","))
    found = None if isinstance(default, float) else whole_of(value)
    if found is None and not isinstance(default, int):
        return value if (number := number_of(value)) is None else number
    return value if found is None else found


def require_option_names(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise InputError for an option that there is not."""
    for name in names:
        if name not in known:
            raise InputError(f"unknown option {shortened(name)!r}; expected one of {', '.join(sorted(known))}")


def terms_of(options: type[DataclassInstance]) -> dict[str, Terms]:
    """Return the options of a dataclass by name: fields made by ``option``, and others with a default of their type."""
    return {each.name: terms for each in fields(options) if (terms := _terms_of_field(each)) is not None}


def _terms_of_field(each: Field[Any]) -> Terms | None:
    if _KEY in each.metadata:
        terms: Terms = each.metadata[_KEY]
        return terms
    return Terms(each.default) if isinstance(each.default, (bool, int, float, str)) else None


@dataclass(eq=False)
class Option(Generic[V]):
    """An option of a problem, or of an ``nrpa.PythonSolver``, declared once, in the body of its class.

    From this one line follow the keyword of the constructor, the check of the values, the option of the command line
    (``--name VALUE``; ``--name/--no-name`` for a flag), the entry in the docstring of the class, and what is recorded
    with a result. An instance of the problem has the value as its attribute; the class has the ``Option``.

    Parameters
    ----------
    default : str, bool, int or float
        The default. All values have its type.
    help : str
        One sentence for ``--help``.
    choices : tuple of str
        The values that a text can take; empty for any.
    least, most : int or float
        The least and the greatest value of a whole number, or of any number that has a greatest one.
    name : str
        The name of the option outside the class; by default that of the attribute.
    tried : Range or tuple
        What ``nrpa tune`` tries: the numbers of an ``nrpa.Range``, or these values; nothing if it is empty. Scores must
        mean the same with all of them. The solver ``auto`` tries the values, too, if the problem is compiled and moves
        mean the same.
    details : str
        Sentences that follow ``help`` in the docstring of the class.

    Raises
    ------
    InputError
        When an instance is given a value of another type, or one that is no choice.

    Examples
    --------
    >>> import nrpa
    >>> class Colouring(nrpa.Problem):
    ...     order = nrpa.Option("degree", "In which order vertices are coloured.", ("degree", "given"))
    ...
    ...     def __init__(self, edges, **options):
    ...         super().__init__(**options)
    >>> Colouring([(0, 1)], order="given").options
    {'order': 'given'}
    """

    default: V
    help: str
    choices: tuple[str, ...] = ()
    least: float = field(default=0, kw_only=True)
    most: float = field(default=LARGEST_WHOLE, kw_only=True)
    name: str = field(default="", kw_only=True)
    tried: Tried = field(default=(), kw_only=True)
    details: str = field(default="", kw_only=True)
    attribute: str = field(default="", init=False, repr=False)

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = self.name or attribute

    @overload
    def __get__(self, problem: None, owner: type) -> Self: ...
    @overload
    def __get__(self, problem: object, owner: type) -> V: ...
    def __get__(self, problem: object | None, owner: type) -> Self | V:
        if problem is None:
            return self
        value: V = vars(problem).get(self.attribute, self.default)
        return value

    def __set__(self, problem: object, value: V) -> None:
        vars(problem)[self.attribute] = self.checked(value)

    @property
    def terms(self) -> Terms:
        """What it means and which values it can take, as for the options of solvers."""
        is_free = isinstance(self.default, float) and self.most == LARGEST_WHOLE
        least = -math.inf if is_free else self.least
        return Terms(self.default, self.help, least, self.most, self.choices, tried=self.tried, details=self.details)

    def checked(self, value: Any) -> Any:
        """Return a value, also one of NumPy's types, as one of Python's: of the type of ``default``.

        Raises InputError if the option cannot have it.
        """
        return self.terms.checked(self.name, value)


def with_fields(cls: Class) -> Class:
    """Make each ``Option`` in the body of a class a field, for ``dataclass``."""
    own = {name: value for name, value in vars(cls).items() if isinstance(value, Option)}
    for name, value in own.items():
        setattr(cls, name, field(default=value.default, metadata={_KEY: value.terms}))
    cls.__annotations__ = {**vars(cls).get("__annotations__", {}), **{name: type(own[name].default) for name in own}}
    return cls
