"""The first of three looks at a problem: whether the parts of its class fit together.

``validate`` comes before every search. Then, before machine code runs, ``nrpa.engine.guarded_game`` plays the first
games of a compiled problem. ``check_problem``, for authors, does both, and checks all else that the engine needs.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import is_finite, shortened, whole
from nrpa.io.source import Origin
from nrpa.modelling.base_problem import BaseProblem, require_own, require_problem, score_of_value
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem

kernels = lazy("nrpa.engine.kernels")
checks = lazy("nrpa.python.checks")
biases = lazy("nrpa.modelling.bias")

SECONDS = 0.025
_CONTAINERS = (list, dict, set, bytearray, np.ndarray)
_TYPES: dict[str, tuple[type, str]] = {
    "name": (str, "text"),
    "objective": (Objective, "an nrpa.Objective"),
    "origin": (Origin, "an Origin, which load sets"),
    "label": (str, "text"),
    "sha256": (str, "text (where digest() is defined, what it returns)"),
    "options": (Mapping, "a dict"),
}
# Attributes and methods that were read before there was ``hints()``.
_FORMER = (
    *("is_tempered", "recommended", "arms", "searched_up_to"),
    *("iterations_improved", "replayed", "temperatures", "rotation"),
)
_LIMITS: dict[str, Callable[[Any], bool]] = {
    "max_steps": lambda problem: "max_steps" in dir(problem),
    "codes": lambda problem: problem.codes is not None,
    "max_slice": lambda problem: problem.max_slice is not None,
}


def validate(problem: BaseProblem) -> None:
    """Check in a fraction of a second that something is a problem, and what its author wrote fits together.

    One in plain Python plays short random games, without scores. What its methods raise is left to the search.
    """
    require_problem(problem)
    type(problem).require_methods()
    for faults in (_of_attributes, _of_ends, _of_bias, _of_results, _of_states):
        for fault in filter(None, faults(problem)):
            raise _error_of(problem, fault)


def hints_of(problem: BaseProblem) -> Hints:
    """Return a problem's hints, asked for once. Raises ProblemError for their former names, and for anything else."""
    if problem._hints is not None:
        return problem._hints
    cls = type(problem)
    by = next(base for base in cls.__mro__ if "hints" in vars(base))
    own: Any = problem if by is BaseProblem else cls
    for name in _FORMER:
        if getattr(own, name, None) is not getattr(by, name, None):
            raise _error_of(problem, f"{name} is no longer read; return an nrpa.Hints from the method hints()")
    hints = problem.hints()
    if not isinstance(hints, Hints):
        raise _error_of(problem, f"hints returned {shortened(repr(hints))}; expected an nrpa.Hints")
    if len(hints.arms) > 1 and not isinstance(problem, CompiledProblem):
        raise _error_of(problem, "hints returned several arms; only a compiled problem can have more than one")
    others = [each for each in (*hints.arms, hints.replayed) if each is not None]
    if not all(isinstance(each, BaseProblem) for each in others):
        raise _error_of(problem, "hints returned arms, or replayed, that are no problems")
    for each in others:
        each.origin = problem.origin
    problem._hints = hints
    return hints


def _of_attributes(problem: BaseProblem) -> Iterator[str]:
    for name, (kind, expected) in _TYPES.items():
        value = getattr(problem, name)
        if not isinstance(value, kind):
            yield f"{name} is {shortened(repr(value))}; expected {expected}"
    for name, value in (("goal", problem.goal), ("bound()", problem.bound())):
        if value is not None:
            score_of_value(problem, name, value)
    for name, is_given in _LIMITS.items():
        if is_given(problem):
            try:
                whole(name, getattr(problem, name), most=2**31 - 1)
            except InputError as error:
                yield str(error)


def _of_ends(problem: BaseProblem) -> Iterator[str]:
    """Look at what ends a game early: a reward of each player, and a key."""
    for name in ("at_max_steps", "at_repetition"):
        given = getattr(problem, name)
        if given is None:
            continue
        if problem.players < 2:
            yield f"{name} is for games of several players; leave it out"
        try:
            right = len(given) == problem.players and all(map(is_finite, given))
        except TypeError:
            right = False
        if not right or max(given) > problem.largest_reward:
            limit = f"{problem.players} finite numbers, none above largest_reward = {problem.largest_reward:g}"
            yield f"{name} is {shortened(repr(given))}; expected {limit}"
    if problem.at_repetition is not None and not problem.model.has_hash:
        yield "at_repetition is set, but states have no key; write the method key(state)"


def _of_bias(problem: BaseProblem) -> Iterator[str]:
    """Look at a β of each code, which must be one number for each, and at one of each move, which is asked for."""
    is_taken = isinstance(problem, Problem) or hasattr(type(problem), "plain_class")
    values = problem.bias_by_code() if is_taken else None
    if values is not None and problem.codes is None:
        yield "bias_by_code gives β, but codes is not set; set it to how many codes there are"
    if values is not None:
        try:
            biases.by_code(values, problem.codes, "what bias_by_code gives")
        except InputError as error:
            yield str(error)
    if isinstance(problem, Problem) and not problem.bias_by_move and _has_own(problem, "bias"):
        yield "bias is defined, but bias_by_move is off, and β would be ignored; set bias_by_move = True"


def _of_results(problem: BaseProblem) -> Iterator[str]:
    """Look at what final states are worth, and at the records of a compiled problem."""
    if isinstance(problem, Problem):
        own, what = {name for name in ("rewards", "score") if _has_own(problem, name)}, "the method {}(state)"
    else:
        require_own(type(problem), CompiledProblem, ("check(solution)",))
        problem.model.require_records()
        own, what = set(kernels.kernels_of(type(problem.model.new_state()))), "the kernel {}"
    players = problem.players
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        yield f"players is {shortened(repr(players))}; expected a whole number of at least 1"
    if players > 1 and "rewards" not in own:
        yield f"a game for {players} players lacks {what.format('rewards')}"
    if players == 1 and "score" not in own:
        yield f"a problem for one player lacks {what.format('score')}; a game sets players to 2 or more"


def _has_own(problem: Problem, method: str) -> bool:
    return getattr(type(problem), method) is not getattr(Problem, method) or method in vars(problem)


class _Game:
    """A random game in plain Python beside states that must stay as they are, which gives up when it is late."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._chance = problem, random.Random(0)
        self._listed = checks.tuple_of  # Loaded before the clock starts.
        self._end = time.perf_counter() + SECONDS

    def _is_late(self) -> bool:
        return time.perf_counter() >= self._end

    def _legal(self, state: Any) -> list[Any]:
        return [*self._listed(self._problem, self._problem.legal_moves(state))]

    def _view(self, state: Any) -> tuple[list[Any], str | bytes]:
        """Return what differs for different states: the legal moves, and the content of a container."""
        legal = self._legal(state)
        if isinstance(state, np.ndarray):
            return legal, state.tobytes()
        return legal, repr(state) if isinstance(state, _CONTAINERS) else ""

    def play(self, state: Any, steps: float = math.inf) -> Any:
        """Play on from ``state`` to the end, or ``steps`` steps; return the last state."""
        while steps > 0 and (moves := self._legal(state)) and not self._is_late():
            before, state = state, self._problem.play(state, self._chance.choice(moves))
            if state is None and (isinstance(before, _CONTAINERS) or not self._has_moves_of_none()):
                raise _error_of(self._problem, "play returned None; return the next state")
            steps -= 1
        return state

    def _has_moves_of_none(self) -> bool:
        """Return whether None is a state, too, and not what a ``play`` without a return gives."""
        try:
            self._legal(None)
        except ProblemError:
            raise
        except Exception:
            return False
        return True

    def changes(self, state_of: Callable[[], Any], begin: Callable[[], Any]) -> bool:
        """Return whether playing on from one state changes another, which is the same twice before."""
        before = self._view(state_of())
        if self._is_late() or self._view(state_of()) != before:
            return False
        self.play(begin())
        return self._view(state_of()) != before


def _of_states(problem: BaseProblem) -> Iterator[str]:
    if not isinstance(problem, Problem):
        return
    for steps in (None, 0, 2):
        try:
            yield _change(problem, steps)
        except ProblemError:
            raise
        except Exception:
            continue


def _change(problem: Problem, steps: int | None) -> str:
    """Play on from an initial state, or from a copy of a state after some steps; return what to say if another changes.

    Empty if none does.
    """
    game = _Game(problem)
    if steps is None:
        if not game.changes(problem.initial_state, problem.initial_state):
            return ""
        is_same = problem.initial_state() is problem.initial_state()
        shared = "the same object twice" if is_same else "states that share memory"
        return f"initial_state returned {shared}, and play changed it; return a fresh state"
    state = game.play(problem.initial_state(), steps)
    return incomplete_copy(problem) if game.changes(lambda: state, lambda: problem.copy(state)) else ""


def incomplete_copy(problem: Problem) -> str:
    """Return what to say of a problem whose states change while a copy is played on."""
    if type(problem).copy is Problem.copy:
        return "play changes the state it is given, which other states share; return a new state, or define copy(state)"
    return "copy is not complete: playing on in a copy changes the original; copy all that play changes"


def _error_of(problem: BaseProblem, said: str) -> ProblemError:
    return ProblemError(f"{type(problem).__name__}: {said}")
