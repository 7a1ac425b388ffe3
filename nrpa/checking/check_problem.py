"""Checks that a problem does what the engine relies on, for people who write problems.

``CHECKS`` is the list of them. Both kinds of problems are checked by the same ones: ``nrpa.checking.games`` has the
games that these play.
"""

from __future__ import annotations

import inspect
import random
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nrpa.base.errors import InputError, ProblemError, place_of
from nrpa.base.values import SeedLike, checked_seed
from nrpa.checking import hash_order
from nrpa.checking.changed_games import improved_games
from nrpa.checking.contract import Contract, Subject
from nrpa.checking.drawn_games import drawn_games
from nrpa.checking.games import label, own_moves
from nrpa.checking.random_games import random_games
from nrpa.checking.same_states import confused_states, wrong_rest
from nrpa.checking.twin import games_of_the_twin
from nrpa.checking.validate import hints_of, validate
from nrpa.engine.kernels import kernels_of
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.bias import Bias, with_bias
from nrpa.modelling.played import Played
from nrpa.modelling.problem import Problem


class Check(NamedTuple):
    """Something to look at: a function of the subject and of the budget yields faults; the first ends all checks."""

    name: str  # what is said to have raised an exception; empty where that is a method of the author's, or a kernel
    faults: Callable[[Subject, int], Iterator[str]]
    budget: int = 10**9  # how many games it looks at, at most


def check_problem(
    problem: BaseProblem, *, seed: SeedLike = 0, games: int = 20, twin: Problem | None = None, bias: Bias | None = None
) -> Contract:
    """Play random games of a problem, and check what the engine relies on.

    - Legal moves, codes and biases are the same when asked twice. States do not change when their copies are played on.
    - Games end, and can be played again. Scores, or rewards, are finite. States of equal hash are played on alike.
    - In games: no player gets more than ``largest_reward``; ``deal`` and ``determinize`` give legal moves, the same for
      one seed, and ``determinize`` leads to the same player and legal moves. A player who never moves is a doubt.
    - ``is_legal`` and the problem's own check agree with the games. ``improve`` gives games that count,
      ``evaluate`` the scores that ``play`` and ``score`` give.
    - In plain Python: a few games are the same in processes where strings have other hashes, and sets other orders.
    - Compiled: the limits hold. No kernel leaves the bounds of an array or writes to the instance (``improve`` has a
      tenth of a second for each game). Compiled kernels do the same as in plain Python. Legal moves are found by their
      names. Games that meet, by the kernel ``rest``, go on alike.
    - By ``nrpa.compiled``: the class in plain Python is checked, and its games have the same moves and scores compiled.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with a small instance.
    seed : int or numpy.random.Generator
        The seed of the random games.
    games : int
        How many games to play. The first fault ends the check.
    twin : Problem, optional
        The same instance by another class in plain Python, written as plainly as can be. The games are played in both
        side by side: legal moves must be the same, and scores or rewards must agree to 1e-9. Two moves are the same if
        they build the same solution; if no moves do, those at the same index in the lists.
    bias : optional
        A bias as ``nrpa.solve`` takes it, which is checked as if it were the problem's own.

    Returns
    -------
    Contract
        What was found.

    Raises
    ------
    InputError
        If ``problem`` is no problem (a class is none), or ``twin`` is given and is not in plain Python.

    Examples
    --------
    >>> import nrpa
    >>> class Path(nrpa.Problem):
    ...     def initial_state(self):
    ...         return [0]
    ...
    ...     def legal_moves(self, state):
    ...         return [1, 2] if state[-1] < 9 else []
    ...
    ...     def play(self, state, move):
    ...         state.append(state[-1] + move)
    ...         return state
    ...
    ...     def score(self, state):
    ...         return -len(state)
    >>> nrpa.check_problem(Path()).faults
    ['play changes the state it is given, which other states share; return a new state, or define copy(state)']
    """
    if twin is not None and not isinstance(twin, Problem):
        raise InputError(f"twin is {twin!r:.60}; expected an nrpa.Problem")
    require_problem(problem)
    if bias is not None:
        problem = with_bias(problem, bias)
    # A class that is compiled as it stands is checked in plain Python; then its games are played compiled.
    compiled: Any = problem if hasattr(type(problem), "plain_class") else None
    problem = compiled.plain if compiled else problem
    contract = Contract(type(problem).__name__, seed=checked_seed(seed))
    subject = Subject(problem, twin, compiled, contract, random.Random(contract.seed), games)
    contract.faults = [*filter(None, [next(filter(None, (_first_fault(check, subject) for check in CHECKS)), "")])]
    return contract


def _first_fault(check: Check, subject: Subject) -> str:
    """Return the first thing that is wrong by one of the checks, in words; empty for nothing."""
    name = subject.contract.problem
    try:
        return next(filter(None, check.faults(subject, check.budget)), "")
    except ProblemError as error:
        return str(error).removeprefix(f"{name}: ").removeprefix(f"{name}.")
    except Exception as error:
        place = place_of(error)
        at = f" (at {place})" if place else ""
        return f"{check.name or _raiser(subject.problem, error)} raised {type(error).__name__}: {error}{at}"


def _raiser(problem: BaseProblem, error: Exception) -> str:
    """Return which method of the author's, or which kernel, was called where an exception came from."""
    if isinstance(problem, Problem):
        calls: dict[str, Any] = {name: vars(problem).get(name, getattr(type(problem), name)) for name in dir(Problem)}
        calls = {name: call for name, call in calls.items() if call is not getattr(Problem, name)}
    else:
        calls = dict(kernels_of(type(problem.model.new_state())))
    names = {getattr(inspect.unwrap(call), "__code__", None): name for name, call in calls.items()}
    called = (names.get(frame.f_code) for frame, _ in traceback.walk_tb(error.__traceback__))
    name = next(filter(None, called), "")
    return label(problem, name) if name else "a method"


def _parts_of_the_class(subject: Subject, _: int) -> Iterator[str]:
    validate(subject.problem)
    hints_of(subject.problem)
    yield from ()


def _compiled_games(subject: Subject, most: int) -> Iterator[str]:
    """Play the games by the compiled class, whose own look at them raises what differs."""
    for moves in subject.games[:most] if subject.compiled else []:
        subject.compiled.confirm(subject.compiled.numbers_of(own_moves(subject.problem, moves)))
    yield from ()


def _other_processes(subject: Subject, most: int) -> Iterator[str]:
    """See whether first games are the same where strings have other hashes."""
    problem = subject.problem
    if isinstance(problem, Problem) and not isinstance(problem, Played):
        fault, why_not = hash_order.difference(problem, most)
        yield fault
        if why_not:
            said = f"not checked: whether it is the same in other processes ({why_not})"
            subject.contract.unchecked.append(said)


CHECKS = (
    Check("", _parts_of_the_class),
    Check("", random_games),
    Check("", improved_games),
    Check("", confused_states),
    Check("deal or determinize", drawn_games, 3),
    Check("rest, or score before the end,", wrong_rest, 8),
    Check("the twin", games_of_the_twin),
    Check("the compiled class", _compiled_games),
    Check("", _other_processes, 2),
)
