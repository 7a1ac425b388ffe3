"""A whole order of moves that the author's own loop plays: one call of ``decode`` for a changed game.

No states are kept of such a game. Where a random move is needed, or more can be played, ``play`` makes what comes
before. If all games are orders of the same moves, the moves that are left are drawn from without any state.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Hashable, Sequence
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.base.values import agree, shortened
from nrpa.engine.status import TOO_MANY_STEPS
from nrpa.python.checks import checked_decoding, score_of, tuple_of
from nrpa.python.orders import ChangingGame, Hashes, looked_up
from nrpa.python.whole_games import GO_ON, Order, Orders


class DecodedGame(ChangingGame):
    """A changed game of a problem that has a method ``decode``."""

    def __init__(self, methods: Any, own: Container[str], numbers: Any, hashes: Hashes) -> None:
        super().__init__(methods, own, numbers, hashes)
        self._compares = False  # there are no states to compare
        self._best = -math.inf  # the score of the best game that was played again
        # Where all games are orders of the same moves: how often they have each, in the order in which they are listed.
        self._whole: dict[Hashable, int] = {}
        self._steps = 0  # how many moves such a game has
        self._head: list[Hashable] = []  # the first moves of the changed game, as far as they are settled
        self._decoded: list[Hashable] = []  # what ``decode`` has made of the order; empty where it was not asked
        self._score: float | None = None  # what it has returned as score
        self._is_played = False  # whether the game goes on by ``play``

    def play(self, order: Order, shared: Orders) -> int:
        """Play on as far as an order says, and return what the base class does."""
        if order.before != GO_ON:
            self._decoded, self._score = [], None
            # Of a permutation, all that is drawn by β needs states, as β does.
            draws = order.by_chance or order.unchanged + order.wanted < self.length
            self._is_played = bool(draws and len(shared.exp_bias)) if order.permutes else not order.wanted
        if self._is_played:
            return super().play(order, shared)
        if order.permutes:
            return self._play_permutation(order, shared)
        if order.before == GO_ON:
            self._head.append(self.legal[order.drawn])
        else:
            self._head = self._things_of(shared.made[: order.unchanged])
            if order.by_chance:
                return super().play(order, shared)
            self._begin(order, shared)
        return self._decode(order, shared)

    @property
    def score(self) -> float:
        """The score of the game; one that is better than all before is played again by the rules."""
        score = super().score if self._score is None else self._score
        if self._decoded and score > self._best:
            fault = decoding_fault(self._methods, self._decoded, self._score)
            if fault:
                raise ProblemError(f"{type(self._methods).__name__}: {fault}")
            self._best = score
        return score

    def _begin(self, order: Order, shared: Orders) -> None:
        """Note what became of the game before, and what is wanted now."""
        self._take(order)
        self.left = self._things_of(shared.wanted[: order.wanted])

    def _play_permutation(self, order: Order, shared: Orders) -> int:
        """Play on where all games are orders of the same moves: ``decode`` gets all of them."""
        begins = order.before != GO_ON
        if begins:
            self._begin(order, shared)
            self._head = self._things_of(shared.made[: order.unchanged])
        else:
            move = self.legal[order.drawn]
            self._head.append(move)
            self._count_as_made(move, order)
        if not (begins and order.by_chance):
            self._head += self.left
            self.left = []
        self.step, self.legal = len(self._head), self._missing(len(shared.made))
        return self._offer(shared) if self.legal else self._decode(order, shared)

    def _missing(self, capacity: int) -> list[Hashable]:
        """Return the different moves that no game lacks, and the one at hand does, as they are listed at first."""
        if not self._whole:
            self._whole = self._counts(capacity)
            self._steps = sum(self._whole.values())
        if len(self._head) >= self._steps:
            return []
        counts = dict.fromkeys(self._head, 1) if self._steps == len(self._whole) else Counter(self._head)
        return [move for move, count in self._whole.items() if counts.get(move, 0) < count]

    def _counts(self, capacity: int) -> dict[Hashable, int]:
        """Return how often a game has each move, which is found out by the one of the first legal moves."""
        methods = self._methods
        state = methods.initial_state()
        legal = tuple_of(methods, methods.legal_moves(state))
        counts = dict.fromkeys(legal, 0)
        for _ in range(capacity):
            if not legal:
                break
            counts[legal[0]] = counts.get(legal[0], 0) + 1
            state = methods.play(state, legal[0])
            legal = tuple_of(methods, methods.legal_moves(state))
        return counts

    def _decode(self, order: Order, shared: Orders) -> int:
        """Ask for the game of an order, and end it, or go on by ``play`` from its moves."""
        wanted, unchanged = [*self._head, *self.left], order.unchanged
        made, self._score = checked_decoding(self._methods, wanted)
        if len(made) > len(shared.made):
            return TOO_MANY_STEPS
        if self._score is None and made == wanted[: min(len(made), unchanged)]:
            made = wanted[:unchanged]  # which can be played, as they stay
        self._decoded = made
        if made[:unchanged] != wanted[:unchanged]:
            unchanged = shared.order["unchanged"] = _equal_first(made, wanted[:unchanged])
        if self._score is None:
            self._is_played, shared.order["permutes"] = True, False
            self._return_to(unchanged, shared.made)
            for move in made[unchanged:]:
                self._make(move)
            self.left = _left_of(wanted, made)
            return self._play_on(order._replace(unchanged=unchanged, permutes=False), shared)
        self.unchanged, self.moves, self.changed = unchanged, made[unchanged:], []
        is_as_wanted = order.before != GO_ON and made == wanted
        shared.made[unchanged : len(made)] = (
            shared.wanted[: order.wanted] if is_as_wanted else looked_up(self._numbers, self.moves)
        )
        self.step = self.length = len(made)
        return self.step


def decoding_fault(methods: Any, made: Sequence[Hashable], score: float | None) -> str:
    """Play the moves that ``decode`` returned; return what is wrong with them or their score, empty for nothing."""
    state = methods.initial_state()
    for step, move in enumerate(made, start=1):
        legal = tuple_of(methods, methods.legal_moves(state))
        if move not in legal:
            shown = f"{shortened(repr(move))} as move {step}"
            return f"decode returned {shown}, which is not legal; legal_moves gives {shortened(repr([*legal]))}"
        state = methods.play(state, move)
    if score is None:
        return ""
    if tuple_of(methods, methods.legal_moves(state)):
        return f"decode returned a score after {len(made)} moves, and more can be played; return None in its place"
    found = score_of(methods, state)
    is_same = score == found if hasattr(methods.objective, "packed") else agree(score, found)
    return "" if is_same else f"decode returned the score {score!r}; play and score give {found!r}"


def _equal_first(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return how many of the first moves of two games are equal."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((step for step, (a, b) in pairs if a != b), min(len(one), len(other)))


def _left_of(wanted: Sequence[Hashable], made: Sequence[Hashable]) -> list[Hashable]:
    """Return the moves of an order that were not made, of equal ones the last."""
    counts, left = Counter(made), list[Hashable]()
    for move in wanted:
        if counts[move] > 0:
            counts[move] -= 1
        else:
            left.append(move)
    return left
