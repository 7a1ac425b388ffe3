"""What a class of problems says of itself: of the types that searches, results and files rely on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import shortened, whole
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.origin import Origin

_TYPES: dict[str, tuple[type, str]] = {
    "name": (str, "text"),
    "objective": (Objective, "an nrpa.Objective"),
    "origin": (Origin, "an Origin, which load sets"),
    "label": (str, "text"),
    "sha256": (str, "text (where digest() is defined, what it returns)"),
    "options": (Mapping, "a dict"),
}
_LIMITS: dict[str, Callable[[Any], bool]] = {
    "max_steps": lambda problem: "max_steps" in dir(problem),
    "codes": lambda problem: problem.codes is not None,
    "max_slice": lambda problem: problem.max_slice is not None,
}


def require_attributes(problem: BaseProblem) -> None:
    """Raise ProblemError for an attribute that is not of the type it must have.

    Parameters
    ----------
    problem : BaseProblem
        The problem.

    Raises
    ------
    ProblemError
        One sentence that names the class and the attribute.
    """
    title = type(problem).__name__
    for name, (kind, expected) in _TYPES.items():
        value = getattr(problem, name)
        if not isinstance(value, kind):
            raise ProblemError(f"{title}: {name} is {shortened(repr(value))}; expected {expected}")
    for name, is_given in _LIMITS.items():
        if is_given(problem):
            try:
                whole(f"{title}: {name}", getattr(problem, name), most=2**31 - 1)
            except InputError as error:
                raise ProblemError(str(error)) from None
