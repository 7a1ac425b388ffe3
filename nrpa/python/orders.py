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


class ChangingGame:
    """The states of a game, and those of the game that it was changed to last.

    - ``own``: Which optional methods the class of the problem defines.
    - ``numbers``: The numbers of the moves (``nrpa.python.model.Numbers``).
    """

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
        self.state = self._methods.initial_state()
        self.states = [self.state]  # of the game, after each ``every`` moves
        self.played: list[Hashable] = []  # the moves of the game, as far as they are known
        self.changed: list[Any] = []  # of the changed game, after each ``every`` moves beyond the first ``unchanged``
        self.left: list[Hashable] = []  # the wanted moves that were not made, by rank
        self.moves: list[Hashable] = []  # those that were made after the first ``unchanged``
        self.legal: Sequence[Hashable] = ()  # the legal moves, where no wanted one is among them
        self.length = 0  # of the last game that was played to its end
        self.unchanged = self.step = 0
        self.is_met = False  # whether it is at the end of the game, whose last moves it shares
        self.is_whole = False  # whether all moves of the game are known
        self.won = self.worth = 0.0  # the score of the game, and of the changed one
        self.gained: float | None = None  # what the changed game has won beside the game that it has met by ``rest``

    def play(self, order: Order, shared: Orders) -> int:
        """Play on as far as an order says.

        Returns the number of moves at the end of the game, which are then written; TO_BE_DRAWN less the number of legal
        moves where one of them is to be drawn, with their hashes written; or a negative status.
        """
        if order.before == GO_ON:
            move = self.legal[order.drawn]
            self._make(move)
            self._count_as_made(move, order)
        else:
            self._take(order)
            self._return_to(order.unchanged, shared.made)
            self.left = self._things_of(shared.wanted[: order.wanted])
        return self._play_on(order, shared)

    @property
    def score(self) -> float:
        """The score of a game that was played to its end."""
        self.worth = score_of(self._methods, self.state) if self.gained is None else self.won + self.gained
        return self.worth

    def _play_on(self, order: Order, shared: Orders) -> int:
        """Make the wanted moves, unless a random one comes before; then do what is left of ``play``."""
        capacity, begins = len(shared.made), order.before != GO_ON
        if not (begins and order.by_chance) and not self._plays_wanted(order.permutes, capacity):
            return TOO_MANY_STEPS
        is_over = self.is_met or (order.permutes and 0 < self.step == self.length)
        self.legal = () if is_over else tuple_of(self._methods, self._methods.legal_moves(self.state))
        if self.legal:
            return self._offer(shared)
        in_order = order.permutes and begins and not order.by_chance and len(self.moves) == order.wanted
        made: Any = shared.wanted[: order.wanted] if in_order else looked_up(self._numbers, self.moves)
        shared.made[order.unchanged : self.step] = made
        self.length = self.step
        return self.step

    def _take(self, order: Order) -> None:
        """Put the changed game before in the place of the game, if the search has taken it."""
        if order.before == TAKEN:
            del self.states[self.unchanged // self._every + 1 :]
            self.is_whole, self.won = True, self.worth
            self.states += self.changed
            del self.played[self.unchanged :]
            self.played += self.moves

    def _count_as_made(self, move: Hashable, order: Order) -> None:
        """Leave a random move out of those that are wanted, where each is made once."""
        if order.permutes and self._numbers[move] != order.replaced:
            _leave_last_out(self.left, move)

    def _things_of(self, numbers: np.ndarray) -> list[Hashable]:
        return [*looked_up(self._numbers.things, numbers.tolist())]

    def _return_to(self, unchanged: int, game: np.ndarray) -> None:
        """Set up the state after the first ``unchanged`` moves of a game, int64[steps]."""
        kept = min(unchanged // self._every, len(self.states) - 1)
        self.step, self.unchanged, self.changed, self.moves = kept * self._every, unchanged, self.states, []
        self.state = self._copy(self.states[kept])
        if self.step < unchanged:
            for move in self._things_of(game[self.step : unchanged]):
                self._make(move)
            self.played[unchanged - len(self.moves) : unchanged] = self.moves
        self.changed, self.moves, self.is_met, self.gained = [], [], False, None

    def _copy(self, state: Any) -> Any:
        return self._methods.copy(state) if self._copies else state

    def _make(self, move: Hashable) -> None:
        self.state = self._methods.play(self.state, move)
        self.step += 1
        self.moves.append(move)
        if self.step % self._every == 0:
            self.changed.append(self._copy(self.state))

    def _offer(self, shared: Orders) -> int:
        """Write hashes of the legal moves, one of which is to be drawn; return what says how many there are."""
        try:
            require_different(self._methods, self.legal)
        except TypeError:
            require_hashable(self._methods, "legal_moves", self.legal)
            raise
        count = len(self.legal)
        if self.step == len(shared.made):
            return TOO_MANY_STEPS
        if count > len(shared.listed):
            return TOO_MANY_MOVES_AT_ONCE
        shared.listed[:count] = looked_up(self._hashes, self.legal)
        if len(shared.exp_bias):
            shared.exp_bias[:count] = exp_biases_of(self._methods, self._methods.biases(self.state, self.legal))
        return TO_BE_DRAWN - count

    def _plays_wanted(self, permutes: int, capacity: int) -> bool:
        """Play the wanted moves; return whether that was possible, which is not known before if they need no lists."""
        try:
            return self._play_wanted(permutes, capacity)
        except Exception:
            if permutes:
                return False
            raise

    def _play_wanted(self, permutes: int, capacity: int) -> bool:
        """Play the legal move of the lowest rank as long as there is one; return whether there was room for all.

        If ``permutes``, all are legal.
        """
        play, copy, every, find, stop = self._methods.play, self._copy, self._every, self._find, self.stop
        left, moves, changed, state, step, first = self.left, self.moves, self.changed, self.state, self.step, 0
        may_meet = self._compares and self.is_whole and step + len(left) == len(self.played)
        old = self.states if may_meet else ()
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
                changed.append(state)
            elif step % every == 0:
                changed.append(copy(state))
            if step < len(old):
                try:
                    is_same = self._meets(state, old[step])
                except Exception:  # whatever comparing an author's states raises
                    is_same = self._compares = False
                    old = ()
                if is_same and left[first:] == self.played[step:]:
                    self._end_as_before(step, state)
                    return True
        del left[:first]
        self.state, self.step = state, step
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
        """End the changed game, which meets the old one after as many moves, with the moves of that one."""
        self.moves += self.played[step:]
        self.left, self.step, self.is_met = [], len(self.played), True
        if self._has_rest:
            self.gained = score_of(self._methods, state) - score_of(self._methods, self.states[step])
        else:
            self.changed += self.states[step + 1 :]
            self.state = self.states[-1]


def looked_up(table: Any, keys: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a table has for each of some keys, in a quarter of the time of a loop."""
    return itemgetter(*keys)(table) if len(keys) > 1 else tuple(table[key] for key in keys)


def _leave_last_out(left: list[Hashable], move: Hashable) -> None:
    """Leave the last of equal moves out, if there is one."""
    if move in left:
        del left[-1 - left[::-1].index(move)]
