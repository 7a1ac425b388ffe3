"""A whole order of moves is played in plain Python at once, so that a changed game takes two calls and not one a move.

The states of the game that is changed are kept, so that nothing before the change is played again.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from nrpa.engine.kernels import NEVER
from nrpa.engine.replay import BY_CHANCE, CONTROL, FORGOTTEN, GO_ON, TAKEN
from nrpa.engine.status import TOO_MANY_STEPS

# Of a problem whose states change, a copy is kept after so many moves each.
EVERY = 8
WORD = 8

_control = struct.Struct(f"{CONTROL}q")


class Course:
    """The states of a game, and those of the game that it was changed to last.

    - ``states``: Of the game, after each ``every`` moves.
    - ``changed``: Of the changed game, after each ``every`` moves beyond the first ``unchanged``.
    - ``left``: The wanted moves that were not made, by rank.
    - ``step``, ``state``: How many moves the changed game has, and the state after them.
    """

    __slots__ = ("changed", "every", "left", "state", "states", "step", "unchanged")

    def __init__(self, initial_state: Any, every: int) -> None:
        self.every = every
        self.states = [initial_state]
        self.changed: list[Any] = []
        self.left: list[Hashable] = []
        self.unchanged = self.step = 0
        self.state = initial_state


class Follower:
    """Plays orders of moves.

    - ``things``, ``numbers``: The moves by their numbers, and the other way round.
    - ``is_legal``: The method of that name; None where the problem has none, so that moves are looked for in lists.
    - ``copies``: Whether states change, so that copies have to be kept.
    """

    def __init__(
        self,
        methods: Any,
        things: Sequence[Hashable],
        numbers: Mapping[Hashable, int],
        is_legal: Callable[[Any, Any], Any] | None,
        copies: bool,
    ) -> None:
        self._methods, self._things, self._numbers, self._is_legal = methods, things, numbers, is_legal
        self._copy = methods.copy if copies else _same
        self._every = EVERY if copies else 1

    def follow(self, course: Course | None, address: int) -> tuple[Course, int]:
        """Play on as far as a control (``nrpa.engine.replay.Replay``) says; return the course, and how many moves.

        In place of that number, TOO_MANY_STEPS where there is no room for the next move.
        """
        fate, unchanged, count, first, room, wanted, made, _ = _control.unpack(ctypes.string_at(address, _control.size))
        if fate != GO_ON:
            if course is None or fate == FORGOTTEN:
                course = Course(self._methods.initial_state(), self._every)
            elif fate == TAKEN:
                del course.states[course.unchanged // self._every + 1 :]
                course.states += course.changed
            self._return_to(course, unchanged, made)
            course.left = [self._things[number] for number in _numbers_at(wanted, count)]
        assert course is not None
        begun, moves = course.step, [] if first < 0 else [self._things[first]]
        if moves and begun < room:
            self._play(course, moves[0])
        if (moves and begun == room) or (first != BY_CHANCE and not self._play_wanted(course, moves, room)):
            return course, TOO_MANY_STEPS
        numbers = array("q", map(self._numbers.__getitem__, moves))
        ctypes.memmove(made + WORD * begun, numbers.buffer_info()[0], WORD * len(numbers))
        return course, course.step

    def _return_to(self, course: Course, unchanged: int, game: int) -> None:
        """Set up the state after the first ``unchanged`` moves of a game, whose numbers are at an address."""
        kept = min(unchanged // course.every, len(course.states) - 1)
        course.step, course.unchanged, course.changed = kept * course.every, unchanged, course.states
        course.state = self._copy(course.states[kept])
        for number in _numbers_at(game + WORD * course.step, unchanged - course.step):
            self._play(course, self._things[number])
        course.changed = []

    def _play(self, course: Course, move: Hashable) -> None:
        course.state = self._methods.play(course.state, move)
        course.step += 1
        if course.step % course.every == 0:
            course.changed.append(self._copy(course.state))

    def _play_wanted(self, course: Course, moves: list[Hashable], room: int) -> bool:
        """Play the legal move of the lowest rank as long as there is one; return whether there was room for all."""
        left = course.left
        while left:
            rank = self._rank_in_list(course) if self._is_legal is None else self._rank_asked(course)
            if rank is None:
                return True
            if course.step == room:
                return False
            moves.append(left.pop(rank))
            self._play(course, moves[-1])
        return True

    def _rank_in_list(self, course: Course) -> int | None:
        """Return the lowest rank of a legal move; None where no legal move is wanted."""
        given = self._methods.legal_moves(course.state)
        legal: Any = given if type(given) is list or type(given) is tuple else tuple(given)
        left = course.left
        if left[0] in legal:
            return 0
        legal = set(legal)
        return next((rank for rank, move in enumerate(left) if move in legal), None)

    def _rank_asked(self, course: Course) -> int | None:
        """Return the lowest rank of a legal move, and forget those before it that will never be one."""
        left, state, is_legal, rank = course.left, course.state, self._is_legal, 0
        assert is_legal is not None
        while rank < len(left):
            answer = is_legal(state, left[rank])
            if answer == NEVER:
                del left[rank]
            elif answer:
                return rank
            else:
                rank += 1
        return None


def _same(state: Any) -> Any:
    return state


def _numbers_at(address: int, count: int) -> array[int]:
    """Return so many int64 at an address."""
    numbers = array("q")
    numbers.frombytes(ctypes.string_at(address, WORD * count))
    return numbers
