"""Methods of a problem in plain Python that are marked as rules, and can be switched off."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast, overload

from nrpa.modelling.base_problem import BaseProblem

Method = TypeVar("Method", bound=Callable[..., Any])


@overload
def rule(method: Method) -> Method: ...


@overload
def rule(*, off: Any = True) -> Callable[[Method], Method]: ...


def rule(method: Any = None, *, off: Any = True) -> Any:
    """Mark a method of a problem in plain Python as a rule, which ``nrpa.explain`` can switch off.

    A game asks it in ``legal_moves``, ``score`` or elsewhere; the constructor does not, and no method by ``super()``.

    Parameters
    ----------
    method : callable
        The method. It stays as it is.
    off : object
        What it returns when it is switched off: True, or 0 for one that counts what is broken.

    Returns
    -------
    callable
        The method, or a decorator where ``off`` alone was given.

    Examples
    --------
    >>> import nrpa
    >>> class Rota(nrpa.Problem):
    ...     @nrpa.rule
    ...     def is_rested(self, state, nurse):
    ...         return nurse not in state[-2:]
    ...
    ...     @nrpa.rule(off=0)
    ...     def nights_too_many(self, state):
    ...         return max(len(state) - 5, 0)
    >>> rules_of(Rota())
    ['is_rested', 'nights_too_many']
    """

    def marked(method: Any) -> Any:
        method.when_off = lambda *arguments, **keywords: off
        return method

    return marked if method is None else marked(method)


def rules_of(problem: Any) -> list[str]:
    """Return the names of the methods that are marked as rules, those of base classes first."""
    owner = type(problem.rules if hasattr(problem, "without_rules") else problem)
    names = dict.fromkeys(name for cls in reversed(owner.__mro__) for name in vars(cls))
    return [name for name in names if hasattr(getattr(owner, name), "when_off")]


def without_rules(problem: BaseProblem, names: Collection[str]) -> BaseProblem:
    """Return a copy of a problem with some rules switched off."""
    if hasattr(problem, "without_rules"):
        return cast("BaseProblem", problem.without_rules(names))
    made = copy.copy(problem)
    made._hints = None
    vars(made).update({name: getattr(type(problem), name).when_off for name in names})
    return made
