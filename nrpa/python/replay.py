"""A whole order of moves is played in plain Python at once, so that a changed game takes one call and not one a move.

The states of the game that is changed are kept, so that nothing before the change is played again.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from nrpa.engine.kernels import NEVER
from nrpa.engine.replay import CONTROL, FORGOTTEN, GO_ON, TAKEN, TO_BE_DRAWN
from nrpa.engine.status import TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.python.answers import content_hash

# Of a problem whose states change, a copy is kept after so many moves each.
EVERY = 8
WORD = 8

_control = struct.Struct(f"{CONTROL}q")


class Course:
    """The states of a game, and those of the game that it was changed to last."""

    __slots__ = (
        *("changed", "every", "is_met", "left", "legal", "length", "moves", "played", "state", "states", "step"),
        "unchanged",
    )

    def __init__(self, initial_state: Any, every: int) -> None:
        self.every = every
        self.states = [initial_state]  # of the game, after each ``every`` moves
        self.played: list[Hashable] = []  # the moves of the game, as far as they are known
        self.changed: list[Any] = []  # of the changed game, after each ``every`` moves beyond the first ``unchanged``
        self.left: list[Hashable] = []  # the wanted moves that were not made, by rank
        self.moves: list[Hashable] = []  # those that were made after the first ``unchanged``
        self.legal: Sequence[Hashable] = ()  # the legal moves, where no wanted one is among them
        self.length = 0  # of the last game that was played to its end
        self.unchanged = self.step = 0
        self.is_met = False  # whether it is at the end of the game, whose last moves it shares
        self.state = initial_state


class Hashes(dict[Hashable, int]):
    """Hashes of moves, the same in every process; 0 for a move of which none can be made."""

    def __missing__(self, move: Hashable) -> int:
        try:
            self[move] = content_hash(move)
        except Exception:  # whatever the pickling of a move of the author's raises
            self[move] = 0
        return self[move]


class Follower:
    """Plays orders of moves; ``copies`` says whether states change, so that copies have to be kept."""

    def __init__(
        self,
        methods: Any,
        things: Sequence[Hashable],
        numbers: Mapping[Hashable, int],
        legal_moves: Callable[[Any], Sequence[Hashable]],
        is_legal: Callable[[Any, Any], Any] | None,
        copies: bool,
        require_different: Callable[[Sequence[Hashable]], None],
    ) -> None:
        self._methods, self._legal_moves, self._is_legal = methods, legal_moves, is_legal
        self._thing_of, self._number_of = things.__getitem__, numbers.__getitem__
        self._copy = methods.copy if copies else _same
        self._require_different = require_different
        self._hashes = Hashes()
        self._every = EVERY if copies else 1
        self._play_on = self._play_listed if is_legal is None else self._play_asked
        self._compares = not copies  # whether states are compared, to find out where games meet

    def follow(self, slot: Any, address: int) -> int:
        """Play on in ``slot.course`` as far as a control says; return what ``nrpa.engine.replay.follow`` returns."""
        control = _control.unpack(ctypes.string_at(address, _control.size))
        fate, unchanged, count, by_chance, permutes, replaced, drawn, room, wanted, made, listed, most, _ = control
        play_on = self._play_all if permutes else self._play_on
        course: Course = slot.course
        in_order = permutes and fate != GO_ON and not by_chance
        if fate != GO_ON:
            if course is None or fate == FORGOTTEN:
                course = slot.course = Course(self._methods.initial_state(), self._every)
            elif fate == TAKEN:
                del course.states[course.unchanged // self._every + 1 :]
                course.states += course.changed
                del course.played[course.unchanged :]
                course.played += course.moves
            self._return_to(course, unchanged, made)
            course.left = [*map(self._thing_of, _numbers_at(wanted, count))]
            if not (by_chance or play_on(course, room)):
                return TOO_MANY_STEPS
        else:
            move = course.legal[drawn]
            self._play(course, move)
            if permutes and self._number_of(move) != replaced:
                _leave_last_out(course.left, move)
            if not play_on(course, room):
                return TOO_MANY_STEPS
        is_over = course.is_met or (permutes and 0 < course.step == course.length)
        course.legal = () if is_over else self._legal_moves(course.state)
        if course.legal:
            return self._listed(course, room, listed, most)
        if not (in_order and len(course.moves) == count):
            numbers = array("q", map(self._number_of, course.moves))
            wanted, count = numbers.buffer_info()
        ctypes.memmove(made + WORD * unchanged, wanted, WORD * count)
        slot.state, course.length = course.state, course.step
        return course.step

    def _listed(self, course: Course, room: int, listed: int, most: int) -> int:
        """Write hashes of the legal moves to an address, ``most`` at most; return TO_BE_DRAWN less their number."""
        self._require_different(course.legal)
        if course.step == room:
            return TOO_MANY_STEPS
        if len(course.legal) > most:
            return TOO_MANY_MOVES_AT_ONCE
        hashes = array("q", map(self._hashes.__getitem__, course.legal))
        ctypes.memmove(listed, hashes.buffer_info()[0], WORD * len(hashes))
        return TO_BE_DRAWN - len(hashes)

    def _return_to(self, course: Course, unchanged: int, game: int) -> None:
        """Set up the state after the first ``unchanged`` moves of a game, whose numbers are at an address."""
        kept = min(unchanged // course.every, len(course.states) - 1)
        course.step, course.unchanged, course.changed, course.moves = kept * course.every, unchanged, course.states, []
        course.state = self._copy(course.states[kept])
        if course.step < unchanged:
            for number in _numbers_at(game + WORD * course.step, unchanged - course.step):
                self._play(course, self._thing_of(number))
            course.played[unchanged - len(course.moves) : unchanged] = course.moves
        course.changed, course.moves, course.is_met = [], [], False

    def _play(self, course: Course, move: Hashable) -> None:
        course.state = self._methods.play(course.state, move)
        course.step += 1
        course.moves.append(move)
        if course.step % course.every == 0:
            course.changed.append(self._copy(course.state))

    def _play_listed(self, course: Course, room: int) -> bool:
        """Play the legal move of the lowest rank as long as there is one; return whether there was room for all."""
        legal_moves, play, copy, every = self._methods.legal_moves, self._methods.play, self._copy, course.every
        left, moves, state, step, rank = course.left, course.moves, course.state, course.step, 0
        old = course.states if self._compares and step + len(left) == len(course.played) else ()
        while rank < len(left):
            given = legal_moves(state)
            legal: Any = given if type(given) is list or type(given) is tuple else tuple(given)
            move = left[rank]
            if move in legal:
                rank += 1
            else:
                legal = set(legal)
                later = next((later for later in range(rank, len(left)) if left[later] in legal), None)
                if later is None:
                    break
                move = left.pop(later)
            if step == room:
                return False
            state, step = play(state, move), step + 1
            moves.append(move)
            if step % every == 0:
                course.changed.append(copy(state))
            if old:
                try:
                    is_same = (state == old[step]) is True
                except Exception:  # whatever comparing an author's states raises
                    is_same = self._compares = False
                if is_same and self._met(course, step, left[rank:], []):
                    return True
        del left[:rank]
        course.state, course.step = state, step
        return True

    def _play_asked(self, course: Course, room: int) -> bool:
        """Do the same by asking for moves, and forget those that will never be legal."""
        is_legal, play, copy, every = self._is_legal, self._methods.play, self._copy, course.every
        assert is_legal is not None
        left, state, step, rank = course.left, course.state, course.step, 0
        while rank < len(left):
            move = left[rank]
            answer = is_legal(state, move)
            if not answer:
                rank += 1
                continue
            del left[rank]
            if answer == NEVER:
                continue
            if step == room:
                return False
            state, step, rank = play(state, move), step + 1, 0
            course.moves.append(move)
            if step % every == 0:
                course.changed.append(copy(state))
            if self._compares and step + len(left) == len(course.played):
                try:
                    is_same = (state == course.states[step]) is True
                except Exception:  # whatever comparing an author's states raises
                    is_same = self._compares = False
                if is_same and self._met(course, step, left, []):
                    return True
        course.state, course.step = state, step
        return True

    def _play_all(self, course: Course, room: int) -> bool:
        """Do the same where all moves that are left are legal; return False, too, where one cannot be made."""
        play, copy, every = self._methods.play, self._copy, course.every
        left, changed, state, step = course.left, course.changed, course.state, course.step
        if step + len(left) > room:
            return False
        old = course.states if self._compares and step + len(left) == len(course.played) else ()
        try:
            for rank, move in enumerate(left, 1):
                state = play(state, move)
                if every == 1:
                    changed.append(state)
                elif (step + rank) % every == 0:
                    changed.append(copy(state))
                if old:
                    try:
                        is_same = (state == old[step + rank]) is True
                    except Exception:  # whatever comparing an author's states raises
                        is_same = self._compares = False
                    if is_same and self._met(course, step + rank, left[rank:], left[:rank]):
                        return True
        except Exception:
            return False
        course.moves += left
        course.state, course.step = state, step + len(left)
        left.clear()
        return True

    def _met(self, course: Course, step: int, left: list[Hashable], made: list[Hashable]) -> bool:
        """End the changed game as the old one where what is ``left`` are the moves that were made there from a step on.

        Its state is the one of the old game after as many moves; ``made`` are those of its moves that are not noted.
        """
        if left != course.played[step:]:
            return False
        course.moves += made
        course.moves += left
        course.changed += course.states[step + 1 :]
        course.left, course.step, course.state, course.is_met = [], len(course.played), course.states[-1], True
        return True


def _leave_last_out(left: list[Hashable], move: Hashable) -> None:
    """Leave the last of equal moves out, if there is one."""
    for rank in range(len(left) - 1, -1, -1):
        if left[rank] == move:
            del left[rank]
            return


def _same(state: Any) -> Any:
    return state


def _numbers_at(address: int, count: int) -> memoryview:
    """Return so many int64 at an address."""
    return memoryview(ctypes.string_at(address, WORD * count)).cast("q")
