"""What ``nrpa tune`` searches: the options of solvers and of a problem, and the values that each of them can take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.options import Range, Terms, Tried, terms_of
from nrpa.base.values import number_of, shortened
from nrpa.bench.experiment import Variant, parse_option_value, require_distinct, require_known
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import solver_class
from nrpa.solvers.nrpa import PolicyAdaptation

SOLVER = "solver"
# Digits of a number that is tried: what is run is what the command at the end says.
DIGITS = 3
WIDER, WIDER_WHOLE = 10.0, 4
# Without a bias, γ is a factor of nothing.
OF_BIAS = ("bias", "gamma")

Configuration = dict[str, Any]


@dataclass(frozen=True)
class Dimension:
    """An option that is tuned, by its key, ``SOLVER.OPTION`` or ``OPTION`` of the problem, and what is tried of it."""

    key: str
    tried: Tried
    whole: bool = False

    @property
    def name(self) -> str:
        """The name of the option."""
        return self.key.rpartition(".")[2]

    def holds(self, value: Any) -> bool:
        """Return whether the value is one of those that are tried."""
        if isinstance(self.tried, Range):
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return is_number and self.tried.low <= value <= self.tried.high
        return any(value is each or (value == each and type(value) is type(each)) for each in self.tried)

    def rounded(self, value: Any) -> Any:
        """Return a number of the range as it is run and printed; any other value as it is."""
        if not isinstance(self.tried, Range) or self.whole:
            return value
        return min(max(float(f"{value:.{DIGITS}g}"), self.tried.low), self.tried.high)


class Space:
    """The configurations of some solvers for a problem: dicts of the solver's name, its options and the problem's."""

    def __init__(
        self,
        problem: type[BaseProblem],
        solvers: Sequence[str],
        has_bias: bool,
        *,
        options: Mapping[str, Any] | None = None,
        over: Mapping[str, Tried] | None = None,
        only: Sequence[str] = (),
        with_problem: bool = True,
    ) -> None:
        if not solvers:
            raise InputError("expected at least one solver to tune")
        require_distinct("solver", solvers)
        self._problem = problem
        self._fixed = dict(options or {})
        self.solvers = tuple(solvers)
        self._of_problem = {option.name: option.terms for option in problem.cli_options}
        known = {*self._of_problem, *(name for solver in solvers for name in _terms(solver))}
        require_known([*self._fixed, *(over or {}), *only], known)
        for name in over or {}:
            if name in self._fixed:
                raise InputError(f"{name} is given a value, and to be tuned; expected one of them")
        self.dimensions = {
            solver: self._dimensions(solver, has_bias, dict(over or {}), set(only), with_problem) for solver in solvers
        }
        if len(solvers) == 1 and not self.dimensions[solvers[0]]:
            raise InputError(
                f"there is nothing to tune: the solver {solvers[0]} and {problem.name} leave no option open"
            )
        self.make(self.default())

    def default(self) -> Configuration:
        """Return the default configuration: the first solver, with the given options and the defaults of all others."""
        solver = self.solvers[0]
        return {SOLVER: solver, **self._given(solver)}

    def make(self, configuration: Configuration) -> tuple[Any, dict[str, Any]]:
        """Return the solver and the problem's options of a configuration."""
        try:
            return Variant.from_options("tuned", configuration).make(self._problem)
        except InputError as error:
            raise InputError(str(error).removeprefix("variant tuned: ")) from None

    def configuration(self, solver: str, values: Mapping[str, Any]) -> Configuration:
        """Return the configuration that a solver's dimensions have at some values."""
        own = {each.name: each.rounded(values[each.key]) for each in self.dimensions[solver]}
        return {SOLVER: solver, **self._given(solver), **own}

    def values(self, configuration: Configuration) -> dict[str, Any]:
        """Return the value of each dimension in a configuration, by key, where that is one of those that are tried."""
        solver = configuration[SOLVER]
        defaults = {name: each.default for name, each in (_terms(solver) | self._of_problem).items()}
        found = {each.key: configuration.get(each.name, defaults[each.name]) for each in self.dimensions[solver]}
        return {each.key: found[each.key] for each in self.dimensions[solver] if each.holds(found[each.key])}

    def whole(self, configuration: Configuration) -> Configuration:
        """Return a configuration with the values of all options, by which two are the same or not."""
        solver, of_problem = self.make(configuration)
        defaults = {name: option.default for name, option in self._of_problem.items()}
        return {SOLVER: configuration[SOLVER], **solver.options, **defaults, **of_problem}

    def changed(self, configuration: Configuration) -> Configuration:
        """Return the options of a configuration that are not the defaults of its solver and of the problem."""
        solver = configuration[SOLVER]
        defaults = self.whole({SOLVER: solver})
        return {name: value for name, value in self.whole(configuration).items() if value != defaults[name]}

    def described(self) -> dict[str, Any]:
        """Return what is searched, as JSON can hold it."""
        return {
            "options": self._fixed,
            "tried": {
                solver: {each.key: [type(each.tried).__name__, *each.tried] for each in dimensions}
                for solver, dimensions in self.dimensions.items()
            },
        }

    def _given(self, solver: str) -> Configuration:
        own = {*_terms(solver), *self._of_problem}
        return {name: value for name, value in self._fixed.items() if name in own}

    def _dimensions(
        self, solver: str, has_bias: bool, over: dict[str, Tried], only: set[str], with_problem: bool
    ) -> list[Dimension]:
        found = []
        idle = _idle(solver, has_bias, (only or {*over}) - {*self._fixed})
        for name, terms in _terms(solver).items():
            tried = over[name] if name in over else () if name in idle else tried_of(terms)
            found.append(_checked(f"{solver}.{name}", terms, tried))
        for name, terms in self._of_problem.items():
            found.append(_checked(name, terms, over.get(name, terms.tried) if with_problem else ()))
        return [
            each for each in found if each.tried and each.name not in self._fixed and (not only or each.name in only)
        ]


def _idle(solver: str, has_bias: bool, asked: set[str]) -> tuple[str, ...]:
    """Return the options that are not tuned, as they change nothing, or nothing that another one does not."""
    if not issubclass(solver_class(solver), PolicyAdaptation):
        return ()
    if {"alpha", "tau"} <= asked:
        raise InputError("alpha and tau: only alpha / tau**2 counts, so one of them is tuned; leave the other out")
    return (*(() if has_bias else OF_BIAS), "alpha" if "tau" in asked & {*_terms(solver)} else "tau")


def tried_of(terms: Terms) -> Tried:
    """Return what is tried of a solver's option.

    Where the option does not say: both values of a flag, all choices, a tenth to ten times the default of a number, a
    quarter to four times that of a whole number; of a number whose default is 0, its whole range, if it has an end.

    >>> tried_of(Terms(0.4, "C", least=0.0)), tried_of(Terms(False)), tried_of(Terms(0, "no end", least=0))
    (Range(low=0.04, high=4.0, log=True), (False, True), ())
    """
    if terms.tried is not None:
        return terms.tried
    default = terms.default
    if isinstance(default, bool):
        return (False, True)
    if isinstance(default, str):
        return terms.choices
    most = math.inf if terms.most is None else terms.most
    if default <= 0:
        return Range(0.0, most, log=False) if isinstance(default, float) and most <= 1 and terms.least == 0 else ()
    if isinstance(default, int):
        least = 1 if terms.least is None else terms.least
        return Range(max(least, 1, default // WIDER_WHOLE), min(most, default * WIDER_WHOLE))
    return Range(max(terms.least or 0.0, default / WIDER), min(most, default * WIDER))


def read_over(text: str, problem: type[BaseProblem], solvers: Iterable[str]) -> tuple[str, Tried]:
    """Return what a text at the command line says is tried of an option.

    Raises InputError if the text has another form, or there is no such option.

    >>> import nrpa
    >>> read_over("tau=0.5:2", nrpa.TSPTW, ["gnrpa"])
    ('tau', Range(low=0.5, high=2.0, log=True))
    >>> read_over("level=2,3,auto", nrpa.TSPTW, ["gnrpa"])
    ('level', (2, 3, None))
    """
    given, equals, values = text.partition("=")
    name = given.strip().replace("-", "_")
    if not equals or not name or not values.strip():
        raise InputError(f"expected NAME=LOW:HIGH or NAME=A,B,C of an option to tune, not {shortened(text)!r}")
    known = {option.name: option.terms for option in problem.cli_options}
    for solver in solvers:
        known |= _terms(solver)
    require_known([name], set(known))
    low, colon, high = values.partition(":")
    if colon and not isinstance(known[name].default, str):
        ends = number_of(low.strip()), number_of(high.strip())
        if ends[0] is None or ends[1] is None:
            raise InputError(f"{name}: expected two numbers, LOW:HIGH, not {shortened(values)!r}")
        return name, Range(ends[0], ends[1], log=ends[0] > 0)
    word = known[name].none
    texts = [each.strip() for each in values.split(",")]
    return name, tuple(
        None if word and each == word else parse_option_value(known[name].default, each) for each in texts
    )


def _terms(solver: str) -> dict[str, Terms]:
    cls: Any = solver_class(solver)
    return terms_of(cls)


def _checked(key: str, known: Terms, tried: Any) -> Dimension:
    """Return the dimension of an option. Raises InputError if the option cannot have what is to be tried."""
    name, default = key.rpartition(".")[2], known.default
    if not isinstance(tried, tuple):
        raise InputError(f"{name}: expected an nrpa.Range or a tuple of values to try, not {tried!r:.60}")
    if not isinstance(tried, Range):
        values = tuple(known.checked(name, value) for value in tried)
        if len(set(values)) != len(values) or len(values) == 1:
            raise InputError(f"{name}: expected at least two different values to try, not {shortened(repr(values))}")
        return Dimension(key, values)
    if isinstance(default, (bool, str)):
        raise InputError(f"{name} is no number; expected values to try, as in {name}=A,B")
    ends = [number if isinstance(number, (int, float)) else math.nan for number in tried[:2]]
    if not (all(map(math.isfinite, ends)) and ends[0] < ends[1]) or (tried.log and ends[0] <= 0):
        raise InputError(f"{name}: expected two numbers, the lower one first, not {ends[0]:g}:{ends[1]:g}")
    if isinstance(default, int):
        ends = [int(number) if float(number).is_integer() else number for number in ends]
    low, high = (known.checked(name, number) for number in ends)
    return Dimension(key, Range(low, high, bool(tried.log)), isinstance(default, int))
