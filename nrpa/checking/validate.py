"""The first of three checks of a problem: whether the parts of its class fit together.

``validate`` comes before every search. Then, before machine code runs, ``nrpa.engine.guarded_game`` plays the first
games of a compiled problem. ``check_problem``, for authors, does both, and checks all else that the engine needs.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from functools import partial
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

    One in plain Python plays two short random games, without scores. What its methods raise is left to the search.
    """
    require_problem(problem)
    type(problem).require_methods()
    _require_attributes(problem)
    _require_ends(problem)
    if isinstance(problem, Problem) or hasattr(type(problem), "plain_class"):
        _require_bias_by_code(problem)
    if isinstance(problem, Problem):
        own = {name for name in ("rewards", "score") if getattr(type(problem), name) is not getattr(Problem, name)}
        _require_results(problem, own, "the method {}(state)")
        _require_bias_by_move(problem)
        _require_decoder(problem)
        _require_own_states(problem)
    elif isinstance(problem, CompiledProblem):
        require_own(type(problem), CompiledProblem, ("check(solution)",))
        problem.model.require_records()
        _require_results(problem, set(kernels.kernels_of(type(problem.new_state()))), "the kernel {}")


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


def _require_attributes(problem: BaseProblem) -> None:
    for name, (kind, expected) in _TYPES.items():
        value = getattr(problem, name)
        if not isinstance(value, kind):
            raise _error_of(problem, f"{name} is {shortened(repr(value))}; expected {expected}")
    for name, value in (("goal", problem.goal), ("bound()", problem.bound())):
        if value is not None:
            score_of_value(problem, name, value)
    for name, is_given in _LIMITS.items():
        if is_given(problem):
            try:
                whole(f"{type(problem).__name__}: {name}", getattr(problem, name), most=2**31 - 1)
            except InputError as error:
                raise ProblemError(str(error)) from None


def _require_bias_by_code(problem: BaseProblem) -> None:
    """Raise ProblemError for a β of each code that is not one number for each."""
    values = problem.bias_by_code()
    if values is None:
        return
    if problem.codes is None:
        raise _error_of(problem, "bias_by_code gives β, but codes is not set; set it to how many codes there are")
    try:
        biases.by_code(values, problem.codes, "what bias_by_code gives")
    except InputError as error:
        raise _error_of(problem, str(error)) from None


def _require_results(problem: BaseProblem, own: set[str], what: str) -> None:
    players = problem.players
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        raise _error_of(problem, f"players is {shortened(repr(players))}; expected a whole number of at least 1")
    if players > 1 and "rewards" not in own:
        raise _error_of(problem, f"a game for {players} players lacks {what.format('rewards')}")
    if players == 1 and "score" not in own:
        lacking = what.format("score")
        raise _error_of(problem, f"a problem for one player lacks {lacking}; a game sets players to 2 or more")


def _require_ends(problem: BaseProblem) -> None:
    """Raise ProblemError where what ends a game early is not a reward of each player, or cannot be noticed."""
    for name in ("at_max_steps", "at_repetition"):
        given = getattr(problem, name)
        if given is None:
            continue
        if problem.players < 2:
            raise _error_of(problem, f"{name} is for games of several players; leave it out")
        try:
            right = len(given) == problem.players and all(map(is_finite, given))
        except TypeError:
            right = False
        if not right or max(given) > problem.largest_reward:
            limit = f"{problem.players} finite numbers, none above largest_reward = {problem.largest_reward:g}"
            raise _error_of(problem, f"{name} is {shortened(repr(given))}; expected {limit}")
    if problem.at_repetition is not None and not problem.model.has_hash:
        raise _error_of(problem, "at_repetition is set, but states have no key; write the method key(state)")


def _require_bias_by_move(problem: Problem) -> None:
    """Raise ProblemError where a problem has a β that no search would ask for."""
    defined = type(problem).bias is not Problem.bias or "bias" in vars(problem)
    if defined and not problem.bias_by_move:
        raise _error_of(
            problem, "bias is defined, but bias_by_move is off, and β would be ignored; set bias_by_move = True"
        )


def _require_decoder(problem: Problem) -> None:
    """Raise ProblemError for a method ``decode`` of a game of several players, and for a rule of none."""
    is_own = type(problem).decode is not Problem.decode
    if is_own and problem.players > 1:
        what = f"decode is for problems of one player, and this is a game for {problem.players}"
        raise _error_of(problem, f"{what}; leave the method decode out")
    if problem.own_decoder and not is_own:
        raise _error_of(problem, "own_decoder is set, but the class lacks the method decode(order)")


class _Game:
    """A random game in plain Python, which gives up when it is late."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._listed = checks.tuple_of  # Loaded before the clock starts.
        self._chance = random.Random(0)
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


def _require_own_states(problem: Problem) -> None:
    for fault_of in (_initial_state_is_fresh, _copies_are_whole):
        try:
            fault = fault_of(problem, _Game(problem))
        except ProblemError:
            raise
        except Exception:
            continue
        if fault:
            raise _error_of(problem, fault)


def _initial_state_is_fresh(problem: Problem, game: _Game) -> str:
    if not game.changes(problem.initial_state, problem.initial_state):
        return ""
    is_same = problem.initial_state() is problem.initial_state()
    shared = "the same object twice" if is_same else "states that share memory"
    return f"initial_state returned {shared}, and play changed it; return a fresh state"


def _copies_are_whole(problem: Problem, game: _Game) -> str:
    for steps in (0, 2):
        state = game.play(problem.initial_state(), steps)
        if game.changes(lambda kept=state: kept, partial(problem.copy, state)):  # type: ignore[misc]
            return incomplete_copy(problem)
    return ""


def incomplete_copy(problem: Problem) -> str:
    """Return what to say of a problem whose states change while a copy is played on."""
    if type(problem).copy is Problem.copy:
        return "play changes the state it is given, which other states share; return a new state, or define copy(state)"
    return "copy is not complete: playing on in a copy changes the original; copy all that play changes"


def _error_of(problem: BaseProblem, said: str) -> ProblemError:
    return ProblemError(f"{type(problem).__name__}: {said}")
