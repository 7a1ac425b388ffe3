"""Checks that a problem does what the engine relies on, for people who write problems.

``CHECKS`` is the list of them. Both kinds of problems are checked by the same ones: ``nrpa.checking.games`` has the
games that these play.
"""

from __future__ import annotations

import inspect
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError, place_of
from nrpa.base.values import SeedLike, checked_seed
from nrpa.checking import hash_order
from nrpa.checking.drawn_games import faults_of_chance
from nrpa.checking.games import defines, label, listing, playing, watched
from nrpa.checking.played_game import PlayedGame, check_fault, faults_of_playing, replay_fault
from nrpa.checking.same_states import confused_states, wrong_rest
from nrpa.checking.twin import different_games
from nrpa.checking.validate import hints_of, validate
from nrpa.engine.game import Game
from nrpa.engine.kernels import kernels_of
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.bias import Bias, with_bias
from nrpa.modelling.played import Played
from nrpa.modelling.problem import Problem
from nrpa.python.checks import checked_decoding
from nrpa.python.decoded_game import decoding_fault

IMPROVE_SECONDS = 0.1
LONGEST_LIST = 200


@dataclass
class Contract:
    """What ``check_problem`` has found.

    Attributes
    ----------
    problem : str
        The name of the problem's class.
    faults : list of str
        What is wrong, in words; empty if nothing is.
    games : int
        The games played.
    steps : int
        The steps of these games in all.
    doubts : list of str
        What is allowed, but seldom meant, in words.
    unchecked : list of str
        What could not be checked, in words.
    seed : int
        The seed of the games.
    """

    problem: str
    faults: list[str] = field(default_factory=list)
    games: int = 0
    steps: int = 0
    doubts: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    seed: int = 0

    @property
    def kept(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def summary(self) -> str:
        """Return what was found as text: a line for each fault, each doubt, and what could not be checked."""
        found = self.faults or [f"kept in {self.games} games of {self.steps} steps in all"]
        return "\n".join(f"{self.problem}: {each}" for each in [*found, *self.doubts, *self.unchecked])


@dataclass
class Subject:
    """What the checks look at: a problem, its twins, and the games that were played, with their results."""

    problem: BaseProblem
    twin: Problem | None
    compiled: Any  # the compiled class whose methods in plain Python are the problem; None for any other problem
    contract: Contract
    chance: random.Random
    most_games: int
    games: list[PlayedGame] = field(default_factory=list)

    @property
    def moves(self) -> list[list[int]]:
        """The moves of the games."""
        return [played.moves for played in self.games]


class Check(NamedTuple):
    """Something to look at: a function of the subject and of the budget yields faults, or nothing."""

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
    - ``is_legal`` and the problem's own check agree with the games. ``improve`` gives games that count.
      ``decode`` gives games that ``play`` and ``score`` confirm, by its rule.
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
        named = {name: getattr(type(problem), name) for name in dir(Problem)}
        own: dict[str, Any] = {name: call for name, call in named.items() if call is not getattr(Problem, name)}
    else:
        own = dict(kernels_of(type(problem.model.new_state())))
    codes = {getattr(inspect.unwrap(call), "__code__", None): name for name, call in {**own, **vars(problem)}.items()}
    called = (codes.get(frame.f_code) for frame, _ in traceback.walk_tb(error.__traceback__))
    return label(problem, next(filter(None, called), "")) or "a method"


def _class_faults(subject: Subject, _: int) -> Iterator[str]:
    validate(subject.problem)
    hints_of(subject.problem)
    yield from ()


def _game_faults(subject: Subject, _: int) -> Iterator[str]:
    """Play random games, each one twice, and look around at each step."""
    problem, contract = subject.problem, subject.contract
    for _ in range(subject.most_games):
        played = PlayedGame()
        yield from faults_of_playing(problem, played, subject.chance)
        yield replay_fault(problem, played)
        yield check_fault(problem, played)
        best, objective = max(played.result), problem.objective
        if problem.players > 1 and best > problem.largest_reward:
            limit = f"largest_reward = {problem.largest_reward:g}"
            yield f"a player got {best:g}, more than {limit}; set it to what no player can get more of"
        if problem.players == 1 and objective.sign < 0 < best and not contract.doubts:
            said = f"the score {best:g} is a {objective.name} of {objective.value(best):g}"
            contract.doubts.append(f"{said}; score returns the negative {objective.name}")
        subject.games.append(played)
        contract.steps += len(played.moves)
        contract.games += 1
    movers = set[int]().union(*(played.movers for played in subject.games))
    if movers and (idle := sorted({*range(problem.players)} - movers)):
        said = f"player gives {', '.join(map(str, sorted(movers)))} alone in {contract.games} games"
        contract.doubts.append(f"{said}; of {problem.players} players, {idle[0]} never moves")


def _improve_faults(subject: Subject, most: int) -> Iterator[str]:
    """Let the problem improve each game; count those that a search would drop."""
    problem, verdicts = subject.problem, list[str]()
    for played in subject.games[:most] if problem.can_improve else []:
        if improved := watched(problem).improve(played.moves, IMPROVE_SECONDS):
            verdicts.append(_why_dropped(playing(problem), improved, played.result))
    if dropped := Counter(filter(None, verdicts)):
        said = ", ".join(f"{number} {why}" for why, number in dropped.items())
        of = f"{dropped.total()} of {len(verdicts)} games that improve changed are dropped"
        subject.contract.doubts.append(f"{of}, and the old ones count: {said}")
    yield from ()


def _why_dropped(game: Game, wanted: list[int], before: list[float]) -> str:
    """Play a changed game; return why it does not count, empty where it does."""
    game.reset()
    for move in wanted:
        if not game.legal_moves():
            break
        if move not in game.listed:
            return "not legal"
        game.play(move)
    if game.legal_moves():
        return "not played to the end"
    return "worse" if game.result()[0] < before[0] else ""


def _decode_faults(subject: Subject, most: int) -> Iterator[str]:
    """Let a problem decode games, their moves in another order, and some of them; compare with ``play`` and ``score``.

    Where more can be played, fewer moves may be returned: the engine then goes on from there.
    """
    problem = subject.problem
    if not isinstance(problem, Problem) or type(problem).decode is Problem.decode:
        return
    for numbers in subject.moves[:most]:
        moves = problem.model.things_of(np.array(numbers, np.int64))
        shuffled = subject.chance.sample(moves, len(moves))
        for order in (moves, shuffled, shuffled[: len(moves) // 2]):
            made, score = answer = checked_decoding(problem, order)
            if checked_decoding(problem, order) != answer:
                yield f"decode is not deterministic: two calls for the order {listing(order)} differ"
            if fault := decoding_fault(problem, made, score):
                yield f"{fault} (the order was {listing(order)})"
            expected = [*Problem.decode(problem, order)[0]]
            if not problem.own_decoder and made != (expected if score is not None else expected[: len(made)]):
                rule = "the first legal move of the order, again and again, gives"
                what = f"decode makes {listing(made)} of the order {listing(order)}; {rule} {listing(expected)}"
                yield f"{what}; if the rule is another one, set own_decoder = True"


def _hash_faults(subject: Subject, most: int) -> Iterator[str]:
    problem = subject.problem
    if problem.model.has_hash:
        yield confused_states(playing(problem), playing(problem), subject.moves[:most])


def _rest_faults(subject: Subject, most: int) -> Iterator[str]:
    problem = subject.problem
    if defines(problem, "rest", "rest"):
        yield wrong_rest(playing(problem), watched(problem), watched(problem), subject.moves[:most])


def _twin_faults(subject: Subject, most: int) -> Iterator[str]:
    if subject.twin is not None:
        type(subject.twin).require_methods()
        yield different_games(subject.problem, subject.twin, subject.moves[:most])


def _compiled_faults(subject: Subject, most: int) -> Iterator[str]:
    """Play the games by the compiled class."""
    compiled = subject.compiled
    for moves in subject.moves[:most] if compiled else []:
        compiled.confirm(compiled.numbers_of(subject.problem.model.things_of(np.array(moves, np.int64))))
    yield from ()


def _order_faults(subject: Subject, most: int) -> Iterator[str]:
    """See whether first games are the same where strings have other hashes."""
    problem = subject.problem
    if isinstance(problem, Problem) and not isinstance(problem, Played):
        fault, why_not = hash_order.difference(problem, most)
        yield fault
        if why_not:
            said = f"not checked: whether it is the same in other processes ({why_not})"
            subject.contract.unchecked.append(said)


CHECKS = (
    Check("", _class_faults),
    Check("", _game_faults),
    Check("", _improve_faults),
    Check("", _decode_faults),
    Check("", _hash_faults),
    Check("deal or determinize", lambda subject, most: faults_of_chance(subject.problem, subject.chance, most), 3),
    Check("rest, or score before the end,", _rest_faults, 8),
    Check("the twin", _twin_faults),
    Check("the compiled class", _compiled_faults),
    Check("", _order_faults, 2),
)
