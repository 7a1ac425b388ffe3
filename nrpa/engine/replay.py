"""A changed game is played again: what was before the change stays, the rest follows the names of its moves.

The moves that are wanted have ranks: at each step the legal one of the lowest rank is made, so a move that is not legal
in its turn is made when it becomes legal. Where no wanted move is legal, any is made at random.

References
----------
koozdra, *Morpion-Julia*, ``RESEARCH.md`` of github.com/koozdra/Morpion-Julia, 2026: games as orders of their moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import all_moves, copy, find, legal_moves, name, play, reset, score
from nrpa.engine.random import uniform
from nrpa.engine.states import stack_states, state_at
from nrpa.engine.status import SCORE_IS_NAN, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS

EVERY, MOST_STATES = 8, 128


class Games(NamedTuple):
    """Whole games.

    Attributes
    ----------
    move : ndarray of int64, shape (games, steps)
        The moves.
    name : ndarray of int64, shape (games, steps)
        Their names (the kernel ``name``).
    length : ndarray of int64, shape (games,)
        The number of moves.
    score : ndarray of float64, shape (games,)
        The score.
    """

    move: np.ndarray
    name: np.ndarray
    length: np.ndarray
    score: np.ndarray


def allocate_games(games: int, steps: int) -> Games:
    """Return games without moves, of score -inf.

    Parameters
    ----------
    games : int
        Their number.
    steps : int
        The most moves of each.

    Returns
    -------
    Games
        The games.
    """
    shape = (games, steps)
    return Games(
        np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(games, np.int64), np.full(games, -np.inf)
    )


class Replay(NamedTuple):
    """What playing a game again needs beside it.

    Attributes
    ----------
    states : tuple of ndarray
        The fields of states of the game, one after each 8 moves, with a leading axis over them.
    known : ndarray of int64, shape (1,)
        How many of these states are those of the game.
    wanted : ndarray of int64, shape (steps + 1,)
        The names of the moves that are wanted after the change, by rank.
    child : Games
        Room for one game: the changed one.
    """

    states: tuple[np.ndarray, ...]
    known: np.ndarray
    wanted: np.ndarray
    child: Games


def states_between(steps: int) -> int:
    """Return how many states of a game of so many moves are kept, 1 to 128: the first ones, where it has more."""
    return min(max(steps // EVERY, 1), MOST_STATES)


def allocate_replay(states: list[Any], steps: int) -> Replay:
    """Return room to play a game again.

    Parameters
    ----------
    states : list of NamedTuple
        ``states_between(steps)`` states of the problem, in any condition.
    steps : int
        The most moves of a game.

    Returns
    -------
    Replay
        The room; it knows no state of a game.
    """
    return Replay(stack_states(states), np.zeros(1, np.int64), np.zeros(steps + 1, np.int64), allocate_games(1, steps))


@jit
def replay(position, room, games, game, unchanged, wanted, by_chance, random):
    """Play a changed game: the first moves of a game, then those that are wanted, by their ranks.

    Parameters
    ----------
    position : Position
        The instance, a state, and room for its legal moves; state and moves change.
    room : Replay
        ``room.child`` becomes the changed game; ``room.wanted`` has what is wanted, and changes.
    games : Games
        The games.
    game : int
        The one that is changed; ``room.known`` is about it.
    unchanged : int
        How many of its moves come first.
    wanted : int
        How many names are in ``room.wanted``.
    by_chance : bool
        Whether one move drawn among all legal ones is made between the two.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator; it changes.

    Returns
    -------
    int
        0, or a negative status (``nrpa.engine.status``).
    """
    instance, state, moves = position
    child = room.child
    failure = return_to(position, room, games, game, unchanged)
    if failure < 0:
        return failure
    for step in range(unchanged):
        child.move[0, step] = games.move[game, step]
        child.name[0, step] = games.name[game, step]
    first, step = 0, unchanged
    while True:
        count = legal_moves(instance, state, moves)
        if count <= 0:
            break
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        if step == child.move.shape[1]:
            return TOO_MANY_STEPS
        place, rank = np.int64(-1), first
        if not by_chance:
            while rank < wanted:
                place = find(instance, state, moves, count, room.wanted[rank])
                if place >= 0:
                    break
                rank += 1
        by_chance = False
        if place >= 0:
            child.name[0, step] = room.wanted[rank]
            while rank > first:
                room.wanted[rank] = room.wanted[rank - 1]
                rank -= 1
            first += 1
        else:
            place = np.int64(uniform(random) * count)
            child.name[0, step] = name(instance, state, moves, place)
        child.move[0, step] = moves.move[place]
        play(instance, state, moves.move[place])
        step += 1
    if count < 0:
        return count
    child.length[0] = step
    child.score[0] = score(instance, state)
    return SCORE_IS_NAN if np.isnan(child.score[0]) else 0


@jit
def return_to(position, room, games, game, step):
    """Set up the state after so many moves of a game, from the last state before it that is known; keep those between.

    A move that only ``all_moves`` lists may be among them: a game that is given from outside may have such.

    Returns 0, or a negative status.
    """
    instance, state, moves = position
    begin = min(step // EVERY, room.known[0])
    if begin == 0:
        reset(instance, state)
    else:
        copy(instance, state_at(state, room.states, begin - 1), state)
    for past in range(begin * EVERY, step):
        count = all_moves(instance, state, moves)
        if count < 0:
            return count
        play(instance, state, games.move[game, past])
        if past + 1 == (room.known[0] + 1) * EVERY and room.known[0] < room.states[0].shape[0]:
            copy(instance, state, state_at(state, room.states, room.known[0]))
            room.known[0] += 1
    return 0


@jit
def take_child(room, games, game, unchanged):
    """Put the changed game in the place of a game; ``unchanged`` first moves of the two are equal."""
    child = room.child
    length = child.length[0]
    for step in range(unchanged, length):
        games.move[game, step] = child.move[0, step]
        games.name[game, step] = child.name[0, step]
    games.length[game] = length
    games.score[game] = child.score[0]
    room.known[0] = min(room.known[0], unchanged // EVERY)
