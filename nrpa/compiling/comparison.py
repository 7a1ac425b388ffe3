"""Games of a compiled class that are played by the class in plain Python, too: a difference is an error."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from nrpa.base.errors import DisagreementError, ProblemError
from nrpa.base.values import shortened
from nrpa.compiling import cells
from nrpa.engine.game import Game
from nrpa.engine.kernels import NEVER, NOT_NOW, kernels_of
from nrpa.engine.status import LARGEST_SCORE
from nrpa.python import checks

GAMES, SECONDS, LEAST_STEPS = 8, 0.2, 10
# After so many playouts, one game more is played beside the search at each mark, and so many at most.
PLAYOUTS_OF_A_GAME, MOST_GAMES = 8192, 16
# Of the time of a search, and what it may take beyond.
SHARE, MORE_SECONDS = 0.02, 0.05
# Longer games are not played to their ends: in a search, and after it, where the check plays the whole game.
LONGEST_BESIDE, LONGEST_AFTER = 1.0, 5.0
CLOSE = 1e-9
MOST_KEPT = 100_000
PAGE = 'what numba computes otherwise is said on the page "A problem of your own"'


class _LeftToSearch(Exception):  # noqa: N818
    """A method fails in plain Python, and compiled as well."""


class Comparison:
    """Two games side by side, one of machine code and one of plain Python, in which all that is said must be equal.

    Codes, and keys, are equal compiled where they are in plain Python, and only there.
    """

    def __init__(self, compiled: Any) -> None:
        self._compiled, self._plain, self._has = compiled, compiled.plain, compiled.has
        own = kernels_of(type(compiled.model.new_state()))
        self._game = Game(compiled.model, uses=own.keys() - {"improve"})
        self.begun, self.spent = time.perf_counter(), 0.0
        self._hashes: dict[str, tuple[dict[Any, int], dict[int, Any]]] = {
            each: ({}, {}) for each in ("code", "key", "rest")
        }

    def play_random_games(self) -> None:
        """Play a few random games, for a fraction of a second."""
        chance, end = random.Random(0), time.perf_counter() + SECONDS
        for _ in range(GAMES):
            self._play(chance.choice, end=end)
            if time.perf_counter() > end:
                break

    def watch(self, moves: list[int], playouts: int) -> None:
        """Play the best game, or after so many playouts some like it, unless that has taken too much of the time."""
        now = time.perf_counter()
        if self.spent > MORE_SECONDS + SHARE * (now - self.begun):
            return
        if playouts:
            self.play_beside(moves, playouts)
        else:
            self.replay(moves, LONGEST_BESIDE)
        self.spent += time.perf_counter() - now

    def replay(self, moves: list[int], seconds: float = LONGEST_AFTER) -> None:
        """Play a whole game of the search, unless that takes longer."""
        self._play(lambda listed: None, moves, time.perf_counter() + seconds)

    def play_beside(self, moves: list[int], playouts: int) -> None:
        """Play games that begin as the best one does and go on at random, more of them after more playouts."""
        chance, end = random.Random(playouts), time.perf_counter() + LONGEST_BESIDE
        for _ in range(min(1 + playouts // PLAYOUTS_OF_A_GAME, MOST_GAMES)):
            self._play(chance.choice, moves[: chance.randrange(len(moves) + 1)], end)
            if time.perf_counter() > end:
                break

    def _play(self, choose: Callable[[list[int]], int | None], moves: Any = (), end: float = math.inf) -> None:
        """Play the moves, and then those that are chosen of the legal ones, to the end or until it is late."""
        problem, game, made = self._plain, self._game, list[Any]()
        try:
            state = self._both("initial_state", None, made, problem.initial_state, game.reset)[0]
            while len(made) < LEAST_STEPS or time.perf_counter() < end:
                self._require_same_states(state, made)
                legal = self._listed("legal_moves", state, made)
                legal = self._listed("all_moves", state, made) if legal and "all_moves" in self._has else legal
                chosen = moves[len(made)] if len(made) < len(moves) else choose(game.listed) if legal else None
                if not legal or chosen is None:
                    self._require_same_result(state, made, bool(legal))
                    return
                self._require_same_view(state, made, legal)
                if chosen not in game.listed:
                    raise self._fault("legal_moves", state, made, legal, f"{self._compiled.own_move(chosen)} was made")
                move = legal[game.listed.index(chosen)]
                before = problem.copy(state)
                play = partial(problem.play, before, move), partial(game.play, chosen)
                state = self._both("play", before, made, *play)[0]
                made.append(move)
        except _LeftToSearch:
            pass

    def _both(self, method: str, state: Any, made: list[Any], plain: Any, compiled: Any) -> tuple[Any, Any]:
        """Return what a method gives in plain Python and compiled; what both of them raise is left to the search."""
        try:
            found = plain()
        except ProblemError:
            # What no score can be ends a search by itself.
            if method in ("score", "rewards") and not np.all(np.abs(compiled()) <= LARGEST_SCORE):
                raise _LeftToSearch from None
            raise
        except Exception as error:
            try:
                compiled()
            except Exception:
                raise _LeftToSearch from None
            said = f"{type(error).__name__}: {error}"
            raise self._fault(method, state, made, said, "no exception") from None
        return found, compiled()

    def _require_same_states(self, state: Any, made: list[Any]) -> None:
        found = cells.state_of(self._compiled.examples, [*self._game.state][: len(self._compiled.cell_fields)])
        if not _is_same(state, found):
            raise self._fault("play" if made else "initial_state", None, made, state, found)

    def _listed(self, method: str, state: Any, made: list[Any]) -> list[Any]:
        problem, game = self._plain, self._game

        def asked() -> tuple[list[Any], list[Any], list[float]]:
            legal = [*checks.tuple_of(problem, getattr(problem, method)(state))]
            codes = [checks.code_of(problem, state, move) for move in legal]
            biases = [problem.bias(state, move) for move in legal] if "bias" in self._has else []
            return legal, codes, checks.exp_biases_of(problem, biases) if biases else []

        (legal, codes, biases), listed = self._both(method, state, made, asked, getattr(game, method))
        if self._compiled.numbers_of(legal).tolist() != listed:
            ours = [self._compiled.own_move(move) for move in listed]
            raise self._fault(method, state, made, legal, ours)
        for place, move in enumerate(legal):
            if not self._is_same_hash("code", codes[place], game.codes[place]):
                raise self._fault("code", state, made, f"{codes[place]!r} for {move!r}", "that of another code")
            if biases and not math.isclose(biases[place], game.exp_biases[place], rel_tol=CLOSE):
                both = (math.log(each[place]) for each in (biases, game.exp_biases))
                raise self._fault("bias", state, made, *(f"{each:.17g} for {move!r}" for each in both))
        return [*legal]

    def _require_same_view(self, state: Any, made: list[Any], legal: list[Any]) -> None:
        """Compare what the other methods say of a state in which there are legal moves."""
        problem, game, players = self._plain, self._game, self._plain.players
        asked: dict[str, tuple[Any, Any]] = {
            "player": (lambda: checks.checked_player(problem, problem.player(state), players), game.player),
            "value": (lambda: [*checks.checked_value(problem, problem.value(state), players)], game.values),
        }
        for method in asked.keys() & self._has:
            self._require_same(method, state, made, *asked[method])
        for move in [*made, *legal] if "is_legal" in self._has else []:
            number = int(self._compiled.numbers_of([move])[0])
            self._require_same(
                "is_legal", state, made, partial(self._found, state, move, number), partial(game.move_of, number)
            )
        for method, kernel in (("key", "hash"), ("rest", "rest")):
            if method in self._has:
                self._require_same_key(method, kernel, state, made)
        if "rest" in self._has:
            self._require_same("score", state, made, lambda: checks.score_of(problem, state), game.score)

    def _require_same_key(self, method: str, kernel: str, state: Any, made: list[Any]) -> None:
        problem, key_of = self._plain, getattr(self._plain, method)
        asked = lambda: checks.hash_of(problem, key_of(state), method)  # noqa: E731
        key, found = self._both(method, state, made, asked, lambda: self._game.value(kernel))
        if not self._is_same_hash(method, key, found):
            raise self._fault(method, state, made, repr(key_of(state)), f"that of another {method}")

    def _found(self, state: Any, move: Any, number: int) -> int:
        """Return what the kernel ``find`` is to say of a move."""
        answer = self._plain.is_legal(state, move)
        return NEVER if answer == NEVER else number if answer else NOT_NOW

    def _require_same_result(self, state: Any, made: list[Any], is_early: bool) -> None:
        problem, game = self._plain, self._game
        if is_early:
            return
        if problem.players == 1:
            self._require_same("score", state, made, lambda: checks.score_of(problem, state), game.score)
            if "evaluate" in self._has:
                numbers = self._compiled.numbers_of(made)
                evaluated = lambda: checks.evaluated(problem, made, state)  # noqa: E731
                self._require_same("evaluate", state, made, evaluated, lambda: game.evaluate(numbers))
            return
        rewards = lambda: [*checks.checked_rewards(problem, problem.rewards(state), problem.players)]  # noqa: E731
        self._require_same("rewards", state, made, rewards, game.rewards)

    def _require_same(self, method: str, state: Any, made: list[Any], plain: Any, compiled: Any) -> None:
        theirs, ours = self._both(method, state, made, plain, compiled)
        if not _is_same(theirs, ours):
            raise self._fault(method, state, made, theirs, ours)

    def _is_same_hash(self, kind: str, thing: Any, number: int) -> bool:
        """Return whether a hash stands for one thing, and a thing for one hash."""
        if kind == "code" and self._plain.codes is not None:
            return bool(thing == number)
        by_thing, by_number = self._hashes[kind]
        if len(by_thing) > MOST_KEPT:
            by_thing.clear()
            by_number.clear()
        return by_thing.setdefault(thing, number) == number and by_number.setdefault(number, thing) == thing

    def _fault(self, method: str, state: Any, made: list[Any], theirs: Any, ours: Any) -> DisagreementError:
        where = "" if state is None else f" in the state {shortened(repr(state))}"
        after = f"after the moves {shortened(repr(made))}" if made else "at the beginning"
        plain, compiled = (shortened(each if isinstance(each, str) else repr(each)) for each in (theirs, ours))
        said = f"{type(self._plain).__name__}.{method} differs compiled: {plain} in plain Python, {compiled} compiled"
        return DisagreementError(f"{said},{where} {after}; search the plain class, or change the method: {PAGE}")


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two states, or results, hold the same, but for rounding."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape:
            return False
        is_float = "f" in one.dtype.kind + other.dtype.kind
        return bool(np.allclose(one, other, CLOSE, CLOSE, equal_nan=True) if is_float else (one == other).all())
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, (float, np.floating)) or isinstance(other, (float, np.floating)):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)
