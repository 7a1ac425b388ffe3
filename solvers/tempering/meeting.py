"""A changed game often comes to a state of the old one, as when two moves that do not touch each other change places.

Where the problem has the kernel ``rest``, the game need not be played on from there: it ends as the old one did.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import home_slot
from nrpa.engine.kernels import NEVER, STEP, TRIED, WAITING, WANTED, find, has_rest
from nrpa.engine.status import is_score
from nrpa.machine.jit import jit

UNKNOWN = -1


class Trail(NamedTuple):
    """What is known of a game after each number of moves, 0 to all."""

    rest: np.ndarray  # int64[steps + 1]: the hash that the kernel gives
    won: np.ndarray  # float64[steps + 1]: the score so far


class Meeting(NamedTuple):
    """Where a changed game can meet the old one."""

    old: Trail
    new: Trail  # that of the changed game, from the change on
    # int64[a power of two, at least 2]: by the home slot of ``old.rest``, after how many moves it was met; of two with
    # one slot, one is missing
    met: np.ndarray
    # int64[1]: The first step from which on all moves of the game are legal ones. A game that was given may have others
    # before.
    listed_from: np.ndarray


def allocate_meeting(steps: int) -> Meeting:
    """Return what is known of a game of at most so many moves before it is played."""
    rests, won = np.zeros((2, steps + 1), np.int64), np.zeros((2, steps + 1))
    met = np.zeros(1 << (4 * steps).bit_length(), np.int64)
    return Meeting(Trail(rests[0], won[0]), Trail(rests[1], won[1]), met, np.zeros(1, np.int64))


@jit
def has_met(position, work, games, game):
    """Return whether the changed game has met the old one, and is ended as that was."""
    instance, state, _, _ = position
    meeting, turn = work.meeting, work.turn
    if not has_rest(state):
        return False
    step = turn[STEP]
    left = meeting.new.rest[step]
    length = games.length[game]
    met = np.int64(meeting.met[home_slot(left, meeting.met.shape[0])])
    if work.known[0] == UNKNOWN or met > length or met < meeting.listed_from[0]:
        return False
    if meeting.old.rest[np.uint64(met)] != left:
        return False
    more = meeting.new.won[step] - meeting.old.won[met]
    if length - met + step > work.child.move.shape[1] or not is_score(games.score[game] + more):
        return False
    at, waiting, tried = met, turn[WAITING], turn[TRIED]
    for rank in range(waiting + turn[WANTED] - tried):
        called = work.wanted[np.uint64(rank if rank < waiting else rank - waiting + tried)]
        if at < length and games.name[game, np.uint64(at)] == called:
            at += 1
        elif find(instance, state, called) != NEVER:
            return False
    if at == length:
        end_as(work, games, game, met, step, more)
    return at == length


@jit
def end_as(work, games, game, met, step, more):
    """End a changed game of ``step`` moves as the old one did after ``met`` moves; its score is so much ``more``."""
    child, meeting = work.child, work.meeting
    left = np.uint64(games.length[game] - met)
    old, new = np.uint64(met), np.uint64(step)
    for k in range(left):
        child.move[0, new + k] = games.move[game, old + k]
    for k in range(left):
        child.name[0, new + k] = games.name[game, old + k]
    for k in range(np.uint64(1), left + np.uint64(1)):
        meeting.new.rest[new + k] = meeting.old.rest[old + k]
    for k in range(np.uint64(1), left + np.uint64(1)):
        meeting.new.won[new + k] = meeting.old.won[old + k] + more
    child.length[0] = step + np.int64(left)
    child.score[0] = games.score[game] + more


@jit
def keep_trail(state, meeting, begin, end):
    """Take over the trail of the changed game, from ``begin`` to ``end`` moves, as that of the game."""
    if not has_rest(state):
        return
    for step in range(np.uint64(begin), np.uint64(end + 1)):
        meeting.old.rest[step] = meeting.new.rest[step]
        meeting.old.won[step] = meeting.new.won[step]
    for step in range(np.uint64(end + 1)):
        meeting.met[home_slot(meeting.old.rest[step], meeting.met.shape[0])] = step
