"""What ``nrpa tune`` tries of the options of a solver and a problem, as distributions of Optuna."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option, Range, Terms, Tried, parse_option_value, require_option_names, terms_of
from nrpa.base.values import shown
from nrpa.registry import solver_class
from nrpa.solvers.nrpa import PolicyAdaptation

distributions = lazy("optuna.distributions")

# Digits of a number that is tried, so that the command at the end has the number that was run.
DIGITS = 3
WIDER, WIDER_WHOLE = 10.0, 4
# Without a bias, γ is a factor of nothing.
OF_BIAS = {"bias", "gamma"}


def known_options(solver: str, of_problem: Iterable[Option[Any]]) -> dict[str, Terms]:
    """Return the options of a solver and those of a problem."""
    cls: Any = solver_class(solver)
    return {**terms_of(cls), **{option.name: option.terms for option in of_problem}}


def tuned_options(
    solver: str,
    known: Mapping[str, Terms],
    has_bias: bool,
    fixed: Mapping[str, Any],
    over: Mapping[str, Tried],
    only: Sequence[str],
) -> dict[str, Any]:
    """Return the range that Optuna draws from, by option: of ``over``, else of the option, else around its default."""
    for name in fixed.keys() & over.keys():
        raise InputError(f"{name} is given a value, and to be tuned; expected one of them")
    asked, idle = {*(only or over)} - {*fixed}, set()
    if issubclass(solver_class(solver), PolicyAdaptation):
        if {"alpha", "tau"} <= asked:
            raise InputError("alpha and tau: only alpha / tau**2 counts, so one of them is tuned; leave the other out")
        idle = {"alpha" if "tau" in asked & {*known} else "tau", *(() if has_bias else OF_BIAS)}
    tried = {name: tried_of(terms) for name, terms in known.items() if name not in idle} | {**over}
    return {
        name: _distribution(name, terms, tried[name])
        for name, terms in known.items()
        if tried.get(name) and name not in fixed and (not only or name in only)
    }


def tried_of(terms: Terms) -> Tried:
    """Return what is tried of an option.

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
        return Range(max(terms.least or 1, default // WIDER_WHOLE), min(most, default * WIDER_WHOLE))
    return Range(max(terms.least or 0.0, default / WIDER), min(most, default * WIDER))


def _distribution(name: str, terms: Terms, tried: Any) -> Any:
    """Return what Optuna draws from. Raises InputError if the option cannot have what is to be tried."""
    if not isinstance(tried, tuple):
        raise InputError(f"{name}: expected an nrpa.Range or a tuple of values to try, not {shown(tried)}")
    values = [terms.checked(name, value) for value in (tried[:2] if isinstance(tried, Range) else tried)]
    if len({*values}) < max(2, len(values)):
        raise InputError(f"{name}: expected at least two different values to try, not {shown(tried)}")
    if not isinstance(tried, Range):
        return distributions.CategoricalDistribution(values)
    if isinstance(terms.default, (bool, str)) or values[0] > values[1] or (tried.log and values[0] <= 0):
        raise InputError(f"{name}: expected two numbers, the lower one first, not {values[0]}:{values[1]}")
    kind = distributions.IntDistribution if isinstance(terms.default, int) else distributions.FloatDistribution
    return kind(*values, log=tried.log)


def suggested(trial: Any, key: str, tried: Any) -> Any:
    """Return the value of an option that a trial of Optuna suggests."""
    if isinstance(tried, distributions.CategoricalDistribution):
        return trial.suggest_categorical(key, tried.choices)
    if isinstance(tried, distributions.IntDistribution):
        return trial.suggest_int(key, tried.low, tried.high, log=tried.log)
    value = trial.suggest_float(key, tried.low, tried.high, log=tried.log)
    return min(max(float(f"{value:.{DIGITS}g}"), tried.low), tried.high)


def parse_over(text: str, known: Mapping[str, Terms]) -> tuple[str, Tried]:
    """Return what a text at the command line says is tried of an option, one of those that are known.

    >>> import nrpa
    >>> known = known_options("gnrpa", nrpa.TSPTW.cli_options)
    >>> parse_over("tau=0.5:2", known), parse_over("level=2,3,auto", known)
    (('tau', Range(low=0.5, high=2.0, log=True)), ('level', (2, 3, 'auto')))
    """
    given, _, values = text.partition("=")
    name = given.strip().replace("-", "_")
    if not name or not values.strip():
        raise InputError(f"expected NAME=LOW:HIGH or NAME=A,B,C of an option to tune, not {shown(text)}")
    require_option_names([name], known)
    is_range = ":" in values and not isinstance(known[name].default, str)
    parsed = [parse_option_value(known[name].default, each.strip()) for each in values.split(":" if is_range else ",")]
    if is_range and len(parsed) == 2:
        low, high = parsed
        return name, Range(low, high, log=not isinstance(low, str) and low > 0)
    return name, tuple(parsed)
