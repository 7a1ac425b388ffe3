"""β as a weighted sum of features, and its weights learned from good solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import is_finite, shortened
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.digest import contents_of, digest
from nrpa.modelling.problem import Problem
from nrpa.modelling.validate import require_problem

cloudpickle = lazy("numba.cloudpickle")
game_module = lazy("nrpa.engine.game")
optimize = lazy("scipy.optimize")

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
        self.features = _by_name(features)
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


def _by_name(features: Features) -> dict[str, Any]:
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


class Choices(NamedTuple):
    """Steps of games: the features of their legal moves, and which moves were made."""

    features: np.ndarray  # float64[moves, features], step after step
    begin: np.ndarray  # int64[steps]: the row of the first move of a step
    made: np.ndarray  # int64[steps]: the row of the move made


def cross_entropy(weights: np.ndarray, choices: Choices, penalty: float) -> tuple[float, np.ndarray]:
    """Return the mean of -log p of the moves made, p by the softmax of β, with the penalty on weights; its gradient."""
    features, begin, made = choices
    counts = np.diff(np.append(begin, len(features)))
    beta = features @ weights
    largest = np.maximum.reduceat(beta, begin)
    share = np.exp(beta - np.repeat(largest, counts))
    total = np.add.reduceat(share, begin)
    share /= np.repeat(total, counts)
    loss = float(np.mean(largest + np.log(total) - beta[made])) + penalty * float(weights @ weights)
    slope = (share @ features - features[made].sum(axis=0)) / len(begin) + 2.0 * penalty * weights
    return loss, slope


def fit_bias(
    problem: BaseProblem | Sequence[BaseProblem],
    solutions: Sequence[Any],
    features: Features,
    *,
    penalty: float = 0.001,
) -> LearnedBias:
    """Return the bias under which the moves of good solutions are most likely: a weighted sum of features.

    In each step with several legal moves, the move made has the probability that the softmax of β gives it. The weights
    maximize the likelihood of all steps (softmax regression).

    Parameters
    ----------
    problem : BaseProblem, or sequence of BaseProblem
        The instance that was solved, or several.
    solutions : sequence
        Good solutions, or results; of several instances, a sequence for each of them.
    features : mapping of names to functions, or sequence of functions and names
        What may make a move good: functions of state and move that return a number; of a problem with kernels, of
        instance, state, move and code, as numba compiles them. The name of a method of the problem's class stands for
        that method.
    penalty : float, optional
        What is taken from the mean log-likelihood of a step for the square of each weight, times the variance of its
        feature within steps.

    Returns
    -------
    LearnedBias
        What ``bias=`` takes, of these instances and of others.

    Raises
    ------
    InputError
        If an argument is none of these, a solution cannot be played, or no step has several legal moves.
    ProblemError
        If a feature is no finite number.

    References
    ----------
    J. Sentuc, F. Ellouze, J.-Y. Lucas and T. Cazenave, *Learning the Bias Weights for Generalized Nested Rollout Policy
    Adaptation*, LION 2023: weights of a sum of features are learned in place of set, there while the search goes on.

    R. Coulom, *Computing Elo Ratings of Move Patterns in the Game of Go*, ICGA Journal 30, 2007: maximum likelihood
    over the legal moves of games.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.WeakSchur.load("3")
    >>> good = nrpa.solve(problem, seed=1, playouts=1000)
    >>> def low(instance, state, move, code):
    ...     return -move
    >>> bias = nrpa.fit_bias(problem, [good], [low])
    >>> nrpa.solve(problem, nrpa.GNRPA(level=2), seed=1, playouts=100, bias=bias).inputs["bias"]["kind"]
    'weights of features'
    """
    problems, lists = ([problem], [solutions]) if isinstance(problem, BaseProblem) else (problem, solutions)
    if not is_finite(penalty) or penalty < 0:
        raise InputError(f"penalty is {penalty!r}; expected a number of at least 0")
    named = _by_name(features)
    learned = LearnedBias(named, [0.0] * len(named))
    choices = _choices(learned, problems, lists)
    spread = _spread(choices)
    scaled = choices._replace(features=choices.features / spread)
    start = np.zeros(len(named))
    found = optimize.minimize(cross_entropy, start, (scaled, penalty), jac=True, method="L-BFGS-B")
    learned.weights = dict(zip(named, map(float, found.x / spread), strict=True))
    learned.steps = len(choices.begin)
    learned.probability, learned.uniform = (
        float(np.exp(-cross_entropy(weights, scaled, 0.0)[0])) for weights in (found.x, start)
    )
    return learned


def _spread(choices: Choices) -> np.ndarray:
    """Return the standard deviation of each feature within steps; 1 where it does not vary."""
    counts = np.diff(np.append(choices.begin, len(choices.features)))
    means = np.add.reduceat(choices.features, choices.begin) / counts[:, None]
    spread = np.sqrt(np.mean((choices.features - np.repeat(means, counts, axis=0)) ** 2, axis=0))
    return np.where(spread > 0.0, spread, 1.0)


def _choices(learned: LearnedBias, problems: Any, solutions: Any) -> Choices:
    """Return the steps of solutions in which there was a choice."""
    if not isinstance(problems, Iterable) or len(problems := [*problems]) != len(solutions):
        raise InputError("expected a problem and its solutions, or several problems and a list of solutions for each")
    rows: list[list[float]] = []
    begin: list[int] = []
    made: list[int] = []
    for problem, of_instance in zip(problems, solutions, strict=True):
        require_problem(problem)
        if isinstance(of_instance, (str, bytes)) or not isinstance(of_instance, Iterable):
            raise InputError(f"{problem.name}: solutions are {shortened(repr(of_instance))}; expected a list of some")
        plain = _in_python(problem)
        bias = learned.of(plain or problem)
        for solution in of_instance:
            given = getattr(solution, "solution", solution)
            steps = _steps_of_kernels(problem, given) if plain is None else _steps_in_python(plain, given)
            for legal, place in steps:
                begin.append(len(rows))
                made.append(len(rows) + place)
                rows += [_features(problem, bias, arguments) for arguments in legal]
    if not rows:
        raise InputError("there is nothing to learn from: no step of a solution has several legal moves")
    return Choices(np.array(rows), np.array(begin), np.array(made))


def _in_python(problem: BaseProblem) -> Problem | None:
    """Return the problem in plain Python, that of a compiled class, too; None for one with kernels."""
    plain = problem if isinstance(problem, Problem) else getattr(problem, "plain", None)
    return plain if isinstance(plain, Problem) else None


def _features(problem: BaseProblem, bias: LearnedBias, arguments: tuple[Any, ...]) -> list[float]:
    found = {name: python_of(feature)(*arguments) for name, feature in bias.features.items()}
    for name, value in found.items():
        if not is_finite(value):
            what = f"the feature {name} returned {shortened(repr(value))}"
            raise ProblemError(f"{problem.name}: {what}; expected a finite number")
    return [*map(float, found.values())]


Step = tuple[list[tuple[Any, ...]], int]


def _steps_in_python(problem: Problem, solution: Any) -> Iterator[Step]:
    """Yield the steps with a choice: state and move for each legal move, and which one was made."""
    state = problem.initial_state()
    for move in problem.own_moves(solution):
        legal = [*problem.legal_moves(state)]
        if len(legal) > 1 and move in legal:
            yield [(state, each) for each in legal], legal.index(move)
        state = problem.play(problem.copy(state), move)


def _steps_of_kernels(problem: BaseProblem, solution: Any) -> Iterator[Step]:
    """Yield the same of a problem with kernels: instance, state, move and code."""
    game = game_module.Game(problem.model)
    game.reset()
    for move in problem.moves_of(solution).tolist():
        legal = game.legal_moves()
        if len(legal) > 1 and move in legal:
            instance, state = game.position.instance, game.state
            yield [(instance, state, *each) for each in zip(legal, game.codes, strict=True)], legal.index(move)
        game.play(move)
