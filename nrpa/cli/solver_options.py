"""The options of all solvers as options of a command, made of the fields of the solvers."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, NamedTuple

import click

from nrpa.base.errors import InputError
from nrpa.base.options import Terms, terms_of
from nrpa.cli.options import flag_of, type_of
from nrpa.registry import solver_class, solvers
from nrpa.solvers.interface import Solver


class NumberOrWord(click.ParamType):  # type: ignore[type-arg]
    """A number, or the word that stands for None."""

    def __init__(self, kind: click.ParamType, word: str) -> None:  # type: ignore[type-arg]
        self.kind = kind
        self.word = word
        self.name = f"{self.kind.name}|{word}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == self.word:
            return value
        try:
            return self.kind.convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(f"{error.message.rstrip('.')}, nor {self.word}.", param, ctx)


class ByLevel(click.ParamType):  # type: ignore[type-arg]
    """A number, or several with commas between them, as a tuple: from level 1 up."""

    def __init__(self, kind: click.ParamType) -> None:  # type: ignore[type-arg]
        self.kind = kind
        self.name = kind.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers that a text means."""
        if not isinstance(value, str) or "," not in value:
            return self.kind.convert(value, param, ctx)
        return tuple(self.kind.convert(part, param, ctx) for part in value.split(","))


class SolverOption(NamedTuple):
    """An option of one solver or of several; ``terms`` say what it means to each, by the solver's name."""

    name: str
    terms: dict[str, Terms]

    @property
    def flag(self) -> str:
        """How it is given at the command line."""
        return flag_of(self.name, isinstance(self._first.default, bool))

    @property
    def meaning(self) -> str:
        """What it means, with its choices and the solvers that have it."""
        choices = f": {_listed(self._first.choices, 'or')}" if self._first.choices else ""
        return f"{self._first.meaning}{choices} ({', '.join(_by_family([*self.terms]))})".lstrip()

    @property
    def default(self) -> str:
        """The default of the first solver that has it, then the solvers whose default is another."""
        solvers_of: dict[str, list[str]] = {}
        for solver, terms in self.terms.items():
            solvers_of.setdefault(self._shown(terms.default), []).append(solver)
        (usual, _), *others = solvers_of.items()
        return "; ".join([usual, *(f"{_listed(names, 'and')}: {default}" for default, names in others)])

    def parameter(self) -> click.Option:
        """Return it as an option of a command, whose value is None where it is not given."""
        return self._parameter(f"{self.meaning}.  [default: {self.default}]")

    def parameter_of(self, solver: str) -> click.Option:
        """Return it as the option of one solver."""
        terms = self.terms[solver]
        choices = f": {_listed(terms.choices, 'or')}" if terms.choices else ""
        return self._parameter(f"{terms.meaning}{choices}.  [default: {self._shown(terms.default)}]")

    def _parameter(self, text: str) -> click.Option:
        metavar = "NAME" if isinstance(self._first.default, str) else None
        return click.Option([self.flag], type=self._type(), default=None, metavar=metavar, help=text)

    def _type(self) -> Any:
        default, word = self._first.default, self._first.none
        if word:
            return NumberOrWord(type_of(default), word)
        if self._first.by_level:
            return ByLevel(type_of(default))
        return str if isinstance(default, str) else type_of(default)

    @property
    def is_bundled(self) -> bool:
        """Whether a solver that comes with nrpa has it."""
        return bool(self.terms.keys() & solvers.bundled.keys())

    @property
    def _first(self) -> Terms:
        return next(iter(self.terms.values()))

    def _shown(self, default: Any) -> str:
        if isinstance(default, bool):
            return self.name.replace("_", "-") if default else f"no-{self.name.replace('_', '-')}"
        return str(default)


def _by_family(names: list[str]) -> list[str]:
    """Return names of solvers, those of a family by its name at their end where all its bundled solvers are there."""
    for family in {family for name in names if (family := _family(name))}:
        members = [name for name in solvers.bundled if _family(name) == family]
        if len(members) > 1 and set(members) <= {*names}:
            names = [*(name for name in names if name not in members), family]
    return names


def _family(name: str) -> str:
    return getattr(solver_class(name), "family", "") if name in solvers.bundled else ""


def solver_options(names: Iterable[str], *, strict: bool = False, without: Container[str] = ()) -> list[SolverOption]:
    """Return the options of solvers but those ``without``; one that cannot be imported is left out, if not strict."""
    found: dict[str, dict[str, Terms]] = {}
    for name in names:
        try:
            solver: Any = solver_class(name)
        except InputError:
            if strict:
                raise
            continue
        for option, terms in terms_of(solver).items():
            if option in without:
                continue
            found.setdefault(option, {})[name] = terms
    return [SolverOption(name, terms) for name, terms in found.items()]


def all_solver_options(own: Iterable[str] = ()) -> list[SolverOption]:
    """Return the options of all solvers, those that come with nrpa first, and those of the user's ``own`` last."""
    return solver_options([*solvers.entries(), *own])


def make_solver(name: str, given: dict[str, Any]) -> Solver:
    """Return the solver with a name."""
    solver: Any = solver_class(name)
    options = {option: value for option, value in given.items() if value is not None}
    for option, value in options.items():
        if option not in terms_of(solver):
            raise InputError(f"{flag_of(option, isinstance(value, bool))} does not apply to the solver {name}")
    made: Solver = solver(**options)
    return made


def _listed(words: Iterable[str], conjunction: str) -> str:
    *most, last = words
    return f"{', '.join(most)} {conjunction} {last}" if most else last
