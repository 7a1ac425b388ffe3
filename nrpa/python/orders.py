"""A whole order of moves is played in plain Python at once, so that a changed game takes one call and not one a move.

The states of the game that is changed are kept, so that nothing before the change is played again.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from nrpa.engine.kernels import NEVER
from nrpa.engine.status import TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.python.checks import content_hash, exp_biases_of, require_different, require_hashable, score_of, tuple_of
from nrpa.python.whole_games import GO_ON, TAKEN, TO_BE_DRAWN, Order, Orders

# Of a problem whose states change, a copy is kept after so many moves each.
EVERY = 8


class Stopped(BaseException):
    """A game is given up, as the search is to end."""


class Hashes(dict[Hashable, int]):
    """Hashes of moves, the same in every process; 0 for a move of which none can be made."""

    def __missing__(self, move: Hashable) -> int:
        try:
            self[move] = content_hash(move)
        except Exception:  # whatever the pickling of a move of the author's raises
            self[move] = 0
        return self[move]


class Known:
    """The game that is changed, as far as it is known."""

    __slots__ = ("is_whole", "moves", "score", "states")

    def __init__(self, state: Any) -> None:
        self.states = [state]  # the initial one, and those after each ``every`` moves
        self.moves: list[Hashable] = []
        self.is_whole = False  # whether all its moves are known
        self.score = 0.0


class Change:
    """What it is changed to, after the first ``unchanged`` moves."""

    __slots__ = ("gained", "is_met", "left", "legal", "moves", "score", "state", "states", "step", "unchanged")

    legal: Sequence[Hashable]  # the legal moves, where no wanted one is among them
    score: float  # at its end

    def __init__(self, unchanged: int, state: Any, step: int, left: list[Hashable]) -> None:
        self.unchanged, self.state, self.step = unchanged, state, step  # ``step`` moves lead to the state
        self.left = left  # the wanted moves that were not made, by rank
        self.states: list[Any] = []  # after each ``every`` moves beyond the unchanged ones
        self.moves: list[Hashable] = []  # those that were made after the unchanged ones
        self.is_met = False  # whether it is at the end of the known game, whose last moves it shares
        self.gained: float | None = None  # what it has won beside the known game, which it has met by ``rest``


class ChangingGame:
    """A game that is changed again and again, where the search says so to what it was changed to last.

    - ``own``: Which optional methods the class of the problem defines.
    - ``numbers``: The numbers of the moves (``nrpa.python.numbering.Numbers``).
    """

    change: Change

    def __init__(self, methods: Any, own: Container[str], numbers: Any, hashes: Hashes) -> None:
        self._methods, self._numbers, self._hashes = methods, numbers, hashes
        self._copies = "copy" in own
        self._every = EVERY if self._copies else 1
        self._compares = not self._copies  # whether states are compared, to find out where games meet
        self._has_rest = "rest" in own
        self._find = self._first_asked if "is_legal" in own else self._first_listed
        self.stop: Sequence[bool] = (False,)  # ``Position.stop``
        self.forget()

    def forget(self) -> None:
        """Begin without a game: another one is changed from now on."""
        self.known = Known(self._methods.initial_state())
        self.length = 0  # of the last game that was played to its end

    def play(self, order: Order, shared: Orders) -> int:
        """Play on as far as an order says.

        Returns the number of moves at the end of the game, which are then written; TO_BE_DRAWN where a legal move is to
        be drawn, with the number of them and their hashes written; or a negative status.
        """
        if order.before == GO_ON:
            move = self.change.legal[order.drawn]
            self._make(self.change, move)
            # A random move is not wanted any more where each is made once.
            if order.permutes and self._numbers[move] != order.replaced:
                _leave_last_out(self.change.left, move)
        else:
            if order.before == TAKEN:
                self._take()
            self.change = self._begun(order, shared)
        return self._play_on(order, shared)

    @property
    def score(self) -> float:
        """The score of a game that was played to its end."""
        change, won = self.change, self.change.gained
        change.score = score_of(self._methods, change.state) if won is None else self.known.score + won
        return change.score

    def _take(self) -> None:
        """Put the change into the known game."""
        known, change = self.known, self.change
        known.states[change.unchanged // self._every + 1 :] = change.states
        known.moves[change.unchanged :] = change.moves
        known.is_whole, known.score = True, change.score

    def _begun(self, order: Order, shared: Orders) -> Change:
        """Return a change that is to be played; unchanged moves whose states are not kept are made again."""
        known, unchanged = self.known, order.unchanged
        kept = min(unchanged // self._every, len(known.states) - 1)
        first, state = kept * self._every, known.states[kept]
        wanted = self._things_of(shared.wanted[: order.wanted])
        change = Change(unchanged, self._methods.copy(state) if self._copies else state, first, wanted)
        if first < unchanged:
            for move in self._things_of(shared.made[first:unchanged]):
                self._make(change, move)
            known.states += change.states
            known.moves[first:unchanged] = change.moves
            change.states, change.moves = [], []
        return change

    def _play_on(self, order: Order, shared: Orders) -> int:
        """Make the wanted moves, unless a random one comes before; then do what is left of ``play``."""
        change, begins = self.change, order.before != GO_ON
        try:
            if not (begins and order.by_chance) and not self._play_wanted(order.permutes, len(shared.made)):
                return TOO_MANY_STEPS
        except Exception:
            if order.permutes:  # without lists of the legal moves, it is not known before whether all can be made
                return TOO_MANY_STEPS
            raise
        is_over = change.is_met or (order.permutes and 0 < change.step == self.length)
        change.legal = () if is_over else tuple_of(self._methods, self._methods.legal_moves(change.state))
        if change.legal:
            return self._offer(shared)
        in_order = order.permutes and begins and not order.by_chance and len(change.moves) == order.wanted
        made: Any = shared.wanted[: order.wanted] if in_order else looked_up(self._numbers, change.moves)
        shared.made[order.unchanged : change.step] = made
        self.length = change.step
        return change.step

    def _things_of(self, numbers: np.ndarray) -> list[Hashable]:
        return [*looked_up(self._numbers.things, numbers.tolist())]

    def _copy(self, state: Any) -> Any:
        return self._methods.copy(state) if self._copies else state

    def _make(self, change: Change, move: Hashable) -> None:
        change.state = self._methods.play(change.state, move)
        change.step += 1
        change.moves.append(move)
        if change.step % self._every == 0:
            change.states.append(self._copy(change.state))

    def _offer(self, shared: Orders) -> int:
        """Write hashes of the legal moves, one of which is to be drawn, and how many there are."""
        change, legal = self.change, self.change.legal
        try:
            require_different(self._methods, legal)
        except TypeError:
            require_hashable(self._methods, "legal_moves", legal)
            raise
        count = len(legal)
        if change.step == len(shared.made):
            return TOO_MANY_STEPS
        if count > len(shared.listed):
            return TOO_MANY_MOVES_AT_ONCE
        shared.legal[0] = count
        shared.listed[:count] = looked_up(self._hashes, legal)
        if len(shared.exp_bias):
            shared.exp_bias[:count] = exp_biases_of(self._methods, self._methods.biases(change.state, legal))
        return TO_BE_DRAWN

    def _play_wanted(self, permutes: int, capacity: int) -> bool:
        """Play the legal move of the lowest rank as long as there is one; return whether there was room for all.

        If ``permutes``, all are legal.
        """
        play, copy, every, find, stop = self._methods.play, self._copy, self._every, self._find, self.stop
        known, change, first = self.known, self.change, 0
        left, moves, states, state, step = change.left, change.moves, change.states, change.state, change.step
        may_meet = self._compares and known.is_whole and step + len(left) == len(known.moves)
        old = known.states if may_meet else ()
        while first < len(left):
            if stop[0]:
                raise Stopped
            rank = first if permutes else find(state, left, first)
            if rank == len(left):
                break
            if step == capacity:
                return False
            move = left[rank]
            state, step = play(state, move), step + 1
            moves.append(move)
            if rank == first:
                first += 1
            else:
                del left[rank]
            if every == 1:
                states.append(state)
            elif step % every == 0:
                states.append(copy(state))
            if step < len(old):
                try:
                    is_same = self._meets(state, old[step])
                except Exception:  # whatever comparing an author's states raises
                    is_same = self._compares = False
                    old = ()
                if is_same and left[first:] == known.moves[step:]:
                    self._end_as_before(step, state)
                    return True
        del left[:first]
        change.state, change.step = state, step
        return True

    def _first_listed(self, state: Any, left: list[Hashable], first: int) -> int:
        """Return the rank of the first of the moves that are left that is listed; their number where there is none."""
        given = self._methods.legal_moves(state)
        legal: Any = given if type(given) is list or type(given) is tuple else tuple(given)
        if left[first] in legal:
            return first
        legal = set(legal)
        return next((rank for rank in range(first, len(left)) if left[rank] in legal), len(left))

    def _first_asked(self, state: Any, left: list[Hashable], first: int) -> int:
        """Do the same by asking for moves, and forget those that will never be legal."""
        is_legal, rank = self._methods.is_legal, first
        while rank < len(left):
            answer = is_legal(state, left[rank])
            if answer == NEVER:
                del left[rank]
            elif answer:
                return rank
            else:
                rank += 1
        return rank

    def _meets(self, state: Any, old: Any) -> bool:
        """Return whether a game goes on from a state as the old one did."""
        if self._has_rest:
            return bool(self._methods.rest(state) == self._methods.rest(old))
        return (state == old) is True

    def _end_as_before(self, step: int, state: Any) -> None:
        """End the change, which meets the known game after as many moves, with the moves of that one."""
        known, change = self.known, self.change
        change.moves += known.moves[step:]
        change.left, change.step, change.is_met = [], len(known.moves), True
        if self._has_rest:
            change.gained = score_of(self._methods, state) - score_of(self._methods, known.states[step])
        else:
            change.states += known.states[step + 1 :]
            change.state = known.states[-1]


def looked_up(table: Any, keys: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a table has for each of some keys, in a quarter of the time of a loop."""
    return itemgetter(*keys)(table) if len(keys) > 1 else tuple(table[key] for key in keys)


def _leave_last_out(left: list[Hashable], move: Hashable) -> None:
    """Leave the last of equal moves out, if there is one."""
    if move in left:
        del left[-1 - left[::-1].index(move)]
