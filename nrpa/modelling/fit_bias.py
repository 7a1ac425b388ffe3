"""The weights of features of moves, learned from good solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import is_finite, shortened
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.learned_bias import Features, LearnedBias, by_name, python_of
from nrpa.modelling.problem import Problem

game_module = lazy("nrpa.engine.game")
optimize = lazy("scipy.optimize")


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
    named = by_name(features)
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
