"""β as a weighted sum of features of state and move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import is_finite, shortened
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.digest import contents_of, digest
from nrpa.modelling.problem import Problem

cloudpickle = lazy("numba.cloudpickle")

Features = Mapping[str, Callable[..., float]] | Sequence[Callable[..., float] | str]


class ByValue(partial[Any]):
    """A function that is pickled with all that it holds, also where no module has it by a name."""

    def __reduce__(self) -> Any:
        return _with_content, (cloudpickle.dumps(self.func),)


def _with_content(content: bytes) -> ByValue:
    return ByValue(cloudpickle.loads(content))


def python_of(function: Any) -> Any:
    """Return the function in plain Python that numba compiles, or the function itself."""
    return getattr(function, "py_func", function)


def compilable(function: Any) -> FunctionType:
    """Return the function in plain Python that numba can compile. Raises InputError for what is none."""
    found = python_of(function)
    if not isinstance(found, FunctionType):
        raise InputError(f"{shortened(repr(function))} cannot be compiled as a bias; expected a function made by def")
    return found


class LearnedBias:
    """β as a weighted sum of features of state and move: what ``fit_bias`` returns, and ``bias=`` takes.

    Parameters
    ----------
    features : mapping of names to functions, or sequence of functions and names
        As ``fit_bias`` takes them.
    weights : sequence of float
        One for each feature.

    Attributes
    ----------
    features : dict of str to function
        The features by name; a method of the problem's class is its name.
    weights : dict of str to float
        The weights by name.
    steps : int
        The steps that ``fit_bias`` has learned from: those with several legal moves.
    probability, uniform : float
        The geometric mean of the probabilities of the moves made in them, by this β alone and without any.

    Raises
    ------
    InputError
        If there is no feature, one has no name of its own, or the weights are not finite numbers, one for each.

    Examples
    --------
    >>> bias = LearnedBias({"large": lambda state, move: move}, [0.5])
    >>> bias("any state", 3)
    1.5
    """

    steps = 0
    probability = uniform = 1.0

    def __init__(self, features: Features, weights: Sequence[float]) -> None:
        self.features = by_name(features)
        if len(weights) != len(self.features) or not all(map(is_finite, weights)):
            expected = f"{len(self.features)} finite numbers, one for each feature"
            raise InputError(f"weights are {shortened(repr(weights))}; expected {expected}")
        self.weights = dict(zip(self.features, map(float, weights), strict=True))

    def __repr__(self) -> str:
        return f"LearnedBias({', '.join(f'{name}={weight:.4g}' for name, weight in self.weights.items())})"

    def __call__(self, *arguments: Any) -> float:
        """Return β, in plain Python."""
        found = [weight * self.features[name](*arguments) for name, weight in self.weights.items()]
        return float(sum(found))

    def __reduce__(self) -> Any:
        return _restored, (cloudpickle.dumps(vars(self)),)

    def of(self, problem: BaseProblem) -> LearnedBias:
        """Return the same bias for an instance, whose methods are in place of names.

        Raises InputError where its class has no such method.
        """
        bound = object.__new__(LearnedBias)
        vars(bound).update(vars(self), features={name: _bound(f, problem) for name, f in self.features.items()})
        return bound

    def described(self) -> dict[str, Any]:
        """Return what a record says of it."""
        content = [contents_of(feature) for feature in self.features.values()], [*self.weights.values()]
        return {"kind": "weights of features", "weights": self.weights, "sha256": digest(content)}


def _restored(content: bytes) -> LearnedBias:
    bias = object.__new__(LearnedBias)
    vars(bias).update(cloudpickle.loads(content))
    return bias


def by_name(features: Features) -> dict[str, Any]:
    """Return features by name."""
    named: dict[str, Any] = dict(features) if isinstance(features, Mapping) else {}
    if not isinstance(features, Mapping):
        given = [*features] if isinstance(features, Iterable) and not isinstance(features, str) else []
        named = {each if isinstance(each, str) else getattr(each, "__name__", ""): each for each in given}
        if len(named) < len(given) or "" in named:
            raise InputError("two features have the same name, or one has none; give a dict of names to functions")
    if not named or not all(isinstance(each, str) or callable(each) for each in named.values()):
        raise InputError(
            f"features are {shortened(repr(features))}; expected functions of state and move, at least one"
        )
    return named


def _bound(feature: Any, problem: BaseProblem) -> Any:
    """Return a feature of an instance: a method of its class where it is a name."""
    if not isinstance(feature, str):
        return feature
    method = getattr(type(problem), feature, None)
    if not isinstance(problem, Problem) or not callable(method):
        kind = "method" if isinstance(problem, Problem) else "feature of a problem with kernels"
        raise InputError(
            f"{problem.name}: there is no {kind} {feature!r}; expected a function, or a method of the class"
        )
    return method.__get__(problem)
