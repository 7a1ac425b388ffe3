"""A changed game is played again: what was before the change stays, the rest follows the names of its moves.

The wanted moves have ranks. At each step the legal one of the lowest rank is made, so that a move that is not legal in
its turn is made when it becomes legal. Where no wanted move is legal, a random move is made, drawn evenly or by what
such draws were worth before (``nrpa.engine.draws``).

A changed game often comes to a state of the old one, as when two moves that do not touch each other have changed
places. Where the problem has the kernel ``rest``, the game need not be played on from there.

References
----------
koozdra, *Morpion-Julia*, ``RESEARCH.md`` of github.com/koozdra/Morpion-Julia, 2026: games as orders of their moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.draws import NO_DRAW, STIR, draw_index, entry_of
from nrpa.engine.kernels import (
    NEVER,
    NOT_NOW,
    all_moves,
    copy,
    find,
    has_kernel,
    legal_moves,
    name,
    play,
    reset,
    rest,
    score,
)
from nrpa.engine.ranks import NONE, Ranks, allocate_ranks, names_listed, next_listed
from nrpa.engine.status import NO_SCORE, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, is_score
from nrpa.machine.jit import by_class, by_type, held, jit, stack_states, state_at

EVERY, MOST_STATES = 8, 128
UNKNOWN = -1
# What a problem that plays a whole order of moves at once (``follow``) is told: of the changed game before, or that the
# one at hand goes on with a legal move that was drawn.
FORGOTTEN, KEPT, TAKEN, GO_ON = range(4)
CONTROL = 13
FATE, UNCHANGED, WANTED, BY_CHANCE, PERMUTES, REPLACED, DRAWN = range(7)
ROOM, WANTED_AT, MADE_AT, LISTED_AT, LISTED_ROOM, CONTROL_AT = range(7, CONTROL)
# What it answers in place of the number of moves where one of the legal moves is to be drawn, less their number.
TO_BE_DRAWN = -100


class Games(NamedTuple):
    """Whole games."""

    move: np.ndarray  # int64[games, steps]
    name: np.ndarray  # int64[games, steps]: the names of the moves (the kernel ``name``)
    length: np.ndarray  # int64[games]: the number of moves
    score: np.ndarray  # float64[games]


def allocate_games(games: int, steps: int) -> Games:
    """Return games without moves, of score -inf."""
    shape = (games, steps)
    return Games(
        np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(games, np.int64), np.full(games, -np.inf)
    )


class Course(NamedTuple):
    """For a problem with the kernel ``rest``: what is known of a game after each number of moves, 0 to all."""

    rest: np.ndarray  # int64[steps + 1]: the hash that the kernel gives
    won: np.ndarray  # float64[steps + 1]: the score so far


def allocate_course(steps: int) -> Course:
    """Return room for the course of a game of so many moves."""
    return Course(np.zeros(steps + 1, np.int64), np.zeros(steps + 1))


class Replay(NamedTuple):
    """What playing a game again needs beside it."""

    states: tuple[np.ndarray, ...]  # states of the game, one after each ``EVERY`` moves, stacked
    # int64[1]: how many of these states are those of the game; UNKNOWN where its course is not known, either
    known: np.ndarray
    wanted: np.ndarray  # int64[steps + 1]: the names of the moves that are wanted after the change, by rank
    child: Games  # the changed game
    course: Course  # that of the game
    child_course: Course  # that of the changed game, from the change on
    # int32[a power of two]: by bits of ``course.rest`` (see ``met_at``), after how many moves it was met; of two with
    # the same bits, one is missing
    met: np.ndarray
    # int64[1]: The first step from which on all moves of the game are legal ones. A game that was given may have others
    # before.
    listed_from: np.ndarray
    ranks: Ranks  # where moves are found in the list of the legal ones
    # int64[CONTROL]: for ``follow``: FORGOTTEN, KEPT or TAKEN, what became of the changed game before, or GO_ON; how
    # many moves stay; how many are wanted; whether the first one is a random one; ``permutes``; the move that it
    # replaces; the index of the legal move that was drawn; room for moves; the addresses of ``wanted``, of the moves of
    # ``child``, and where hashes of the legal moves go; room for these; the address of ``control`` itself
    control: np.ndarray
    drawn: np.ndarray  # int64[steps + 2]: the entries of the random moves (``Draws``), to NO_DRAW
    offered: np.ndarray  # int64[steps + 1]: of how many legal moves each of them was drawn
    permutes: np.ndarray  # bool[1]: whether all moves that are left are legal (``nrpa.engine.permutation``)


def states_between(steps: int) -> int:
    """Return how many states of a game of so many moves are kept: the first ones, at most MOST_STATES."""
    return min(max(steps // EVERY, 1), MOST_STATES)


def allocate_replay(states: list[Any], steps: int, by_move: bool = False) -> Replay:
    """Return room to play a game again; ``by_move`` says whether a move is its own name, where there is no ``find``."""
    wanted, child, control = np.zeros(steps + 1, np.int64), allocate_games(1, steps), np.zeros(CONTROL, np.int64)
    control[ROOM:] = steps, wanted.ctypes.data, child.move.ctypes.data, 0, 0, control.ctypes.data
    return Replay(
        stack_states(states),
        np.full(1, UNKNOWN, np.int64),
        wanted,
        child,
        allocate_course(steps),
        allocate_course(steps),
        np.zeros(1 << (4 * steps).bit_length(), np.int32),
        np.zeros(1, np.int64),
        allocate_ranks(steps, by_move),
        control,
        np.full(steps + 2, NO_DRAW),
        np.zeros(steps + 1, np.int64),
        np.zeros(1, np.bool_),
    )


@by_type()
def follows(state):
    """Return whether the problem plays a whole order of moves at once."""
    return False


@by_type(index=1)
def follow(instance, state, control):
    """Play an order of moves; return the number of moves, TO_BE_DRAWN less that of the legal moves, or a status."""
    return 0


@by_class(lambda state_class: _yes if has_kernel(state_class, "find") else _no)
def finds(state):
    """Return whether moves are found by the problem's own kernel ``find``."""


@by_class(lambda state_class: _yes if has_kernel(state_class, "rest") else _no)
def meets(state):
    """Return whether the problem has the kernel ``rest``."""


def _yes(state):
    return True


def _no(state):
    return False


@jit
def replay(position, room, games, game, unchanged, wanted, by_chance, draws, is_even, random):
    """Play a changed game: the first ``unchanged`` moves of a game, then ``wanted`` names by rank.

    These names are the first of ``room.wanted``. If ``by_chance``, the first move after the change is a random one.
    Random moves are drawn evenly, or by ``draws`` (``nrpa.engine.draws.Draws``), and noted in ``room.drawn``.
    Returns 0 where the changed game was played to its end, the number of moves made where it has met the old one, or a
    negative status.
    """
    if follows(position.state) and room.ranks.by_move[0]:
        return replay_followed(position, room, games, game, unchanged, wanted, by_chance, draws, is_even, random)
    # Which number a code in plain Python has depends on the workers; what is drawn must not.
    is_even = is_even or follows(position.state)
    return replay_step_by_step(position, room, games, game, unchanged, wanted, by_chance, draws, is_even, random)


@jit
def replay_step_by_step(position, room, games, game, unchanged, wanted, by_chance, draws, is_even, random):
    """Do so in a problem that is asked for each move."""
    instance, state, moves = position
    child = room.child
    if room.known[0] == UNKNOWN and wanted > 0:
        learn(position, room, games, game)
    failure = return_to(position, room, games, game, unchanged)
    if failure < 0:
        return failure
    for step in range(unchanged):
        child.move[0, step] = games.move[game, step]
        child.name[0, step] = games.name[game, step]
    room.ranks.entered[0] = False
    # Of ``room.wanted``, the first ``waiting`` names wait for their turn; those before ``tried`` are gone.
    waiting, tried, step, random_moves = 0, 0, unchanged, 0
    room.drawn[0] = NO_DRAW
    while True:
        if room.permutes[0] and not by_chance and tried < wanted:
            step = play_unlisted(position, room, step, tried, wanted)
            tried = wanted
        count = 0 if finds(state) else listed(position)
        if count < 0:
            return count
        is_found, move, called = False, np.int64(0), np.int64(0)
        if not by_chance:
            if finds(state):
                is_found, move, called, waiting, tried = next_found(position, room.wanted, waiting, tried, wanted)
            else:
                names = names_listed(room.ranks, moves)
                index, tried = next_listed(room.ranks, room.wanted, tried, wanted, names, count)
                if index != NONE:
                    is_found, move, called = True, moves.move[index], names[index]
        by_chance = False
        if not is_found:
            if finds(state):
                count = listed(position)
            if count < 0:
                return count
            if count == 0:
                break
            index = draw(room, draws, game, is_even, names_listed(room.ranks, moves), count, random_moves, random)
            random_moves += 1
            move, called = moves.move[index], name_at(position, room, index)
            if room.permutes[0] and called != replaced(games, game, unchanged, wanted):
                wanted = without_last(room.wanted, tried, wanted, called)
        if step == child.move.shape[1]:
            return TOO_MANY_STEPS
        child.move[0, step] = move
        child.name[0, step] = called
        play(instance, state, move)
        step += 1
        if meets(state) and has_met(position, room, games, game, step, waiting, tried, wanted):
            return step
    child.length[0] = step
    child.score[0] = held(score(instance, state))
    return 0 if is_score(child.score[0]) else NO_SCORE


@jit
def replay_followed(position, room, games, game, unchanged, wanted, by_chance, draws, is_even, random):
    """Do the same in a problem that plays a whole order of moves at once."""
    instance, state, moves = position
    child, control = room.child, room.control
    if room.known[0] == UNKNOWN:
        control[FATE] = FORGOTTEN
    if wanted > 0:
        room.known[0] = 0
    for step in range(unchanged):
        child.move[0, step] = games.move[game, step]
    control[UNCHANGED], control[WANTED], control[BY_CHANCE] = unchanged, wanted, by_chance
    control[PERMUTES], control[REPLACED] = room.permutes[0], replaced(games, game, unchanged, wanted)
    control[LISTED_AT], control[LISTED_ROOM] = moves.move.ctypes.data, moves.move.shape[0]
    room.drawn[0], random_moves = NO_DRAW, 0
    steps = np.int64(follow(instance, state, control))
    while steps < TO_BE_DRAWN:
        control[DRAWN] = draw(room, draws, game, is_even, moves.move, TO_BE_DRAWN - steps, random_moves, random)
        random_moves += 1
        control[FATE] = GO_ON
        steps = np.int64(follow(instance, state, control))
    if steps < 0:
        room.known[0] = UNKNOWN
        return steps
    control[FATE] = KEPT
    for step in range(steps):
        child.name[0, step] = child.move[0, step]
    child.length[0] = steps
    child.score[0] = held(score(instance, state))
    return 0 if is_score(child.score[0]) else NO_SCORE


@jit
def play_unlisted(position, room, step, begin, end):
    """Make the moves of some ranks, which are their own names, as far as there is room; return how many were made."""
    instance, state, _ = position
    child = room.child
    for rank in range(np.uint64(begin), np.uint64(min(end, begin + child.move.shape[1] - step))):
        move = room.wanted[rank]
        child.move[0, step] = child.name[0, step] = move
        play(instance, state, move)
        step += 1
    return step


@jit
def replaced(games, game, unchanged, wanted):
    """Return the name of the move that a random one takes the place of; -1 for none."""
    left = games.length[game] - unchanged
    return games.name[game, unchanged] if 0 < left == wanted + 1 else np.int64(-1)


@jit
def without_last(wanted, begin, end, name):
    """Leave the last of equal names out, which lie from ``begin`` to ``end`` - 1; return where they end then."""
    for rank in range(end - 1, begin - 1, -1):
        if wanted[rank] == name:
            for later in range(rank + 1, end):
                wanted[later - 1] = wanted[later]
            return end - 1
    return end


@jit
def draw(room, draws, game, is_even, names, count, random_moves, random):
    """Draw a legal move after so many random moves, and note it; return its index."""
    index = draw_index(draws, game, is_even, names, count, random)
    room.offered[random_moves] = count
    room.drawn[random_moves] = entry_of(names[index])
    room.drawn[random_moves + 1] = NO_DRAW
    return index


@jit
def name_at(position, room, index):
    """Return the name of a listed move."""
    instance, state, moves = position
    return name(instance, state, moves, index) if finds(state) else names_listed(room.ranks, moves)[index]


@jit
def listed(position):
    """List the legal moves; return their number, or a negative status."""
    instance, state, moves = position
    count = legal_moves(instance, state, moves)
    return TOO_MANY_MOVES_AT_ONCE if count > moves.move.shape[0] else count


@jit
def next_found(position, names, waiting, tried, wanted):
    """Find the legal move of the lowest rank, and forget those before it that no move will ever have.

    In ``names`` (int64), the first ``waiting`` are those found not legal so far; those from index ``tried`` to
    ``wanted`` have not been looked for yet. Returns whether a move was found, the move, its name, and the new
    ``waiting`` and ``tried``.
    """
    instance, state, _ = position
    rank = np.uint64(0)
    while rank < np.uint64(waiting):
        called = names[rank]
        move = np.int64(find(instance, state, called))
        if move == NOT_NOW:
            rank += np.uint64(1)
            continue
        for later in range(rank + np.uint64(1), np.uint64(waiting)):
            names[later - np.uint64(1)] = names[later]
        waiting -= 1
        if move >= 0:
            return True, move, called, waiting, tried
    while tried < wanted:
        called = names[np.uint64(tried)]
        tried += 1
        move = np.int64(find(instance, state, called))
        if move >= 0:
            return True, move, called, waiting, tried
        names[np.uint64(waiting)] = called
        waiting += np.int64(move == NOT_NOW)
    return False, np.int64(0), np.int64(0), waiting, tried


@jit
def has_met(position, room, games, game, step, waiting, tried, wanted):
    """Note the course of the changed game; return whether it has met the old one, and is ended as that was."""
    instance, state, _ = position
    left = np.int64(rest(instance, state))
    room.child_course.rest[step] = left
    room.child_course.won[step] = held(score(instance, state))
    length = games.length[game]
    met = np.int64(room.met[met_at(room, left)])
    if room.known[0] == UNKNOWN or met > length or met < room.listed_from[0]:
        return False
    if room.course.rest[np.uint64(met)] != left:
        return False
    more = room.child_course.won[step] - room.course.won[met]
    if length - met + step > room.child.move.shape[1] or not is_score(games.score[game] + more):
        return False
    at = met
    for rank in range(waiting + wanted - tried):
        called = room.wanted[np.uint64(rank if rank < waiting else rank - waiting + tried)]
        if at < length and games.name[game, np.uint64(at)] == called:
            at += 1
        elif find(instance, state, called) != NEVER:
            return False
    if at < length:
        return False
    end_as(room, games, game, met, step, more)
    return True


@jit
def met_at(room, left):
    """Return where ``room.met`` has the states of a hash of the rest."""
    return np.uint64((((left ^ (left >> 32)) * STIR) >> 32) & (room.met.shape[0] - 1))


@jit
def end_as(room, games, game, met, step, more):
    """End a changed game of ``step`` moves as the old one did after ``met`` moves; its score is so much ``more``."""
    child = room.child
    left = np.uint64(games.length[game] - met)
    old, new = np.uint64(met), np.uint64(step)
    for k in range(left):
        child.move[0, new + k] = games.move[game, old + k]
    for k in range(left):
        child.name[0, new + k] = games.name[game, old + k]
    for k in range(np.uint64(1), left + np.uint64(1)):
        room.child_course.rest[new + k] = room.course.rest[old + k]
    for k in range(np.uint64(1), left + np.uint64(1)):
        room.child_course.won[new + k] = room.course.won[old + k] + more
    child.length[0] = step + np.int64(left)
    child.score[0] = games.score[game] + more


@jit
def learn(position, room, games, game):
    """Play a game of which nothing is known to its end; keep its course, and states on the way."""
    instance, state, _ = position
    room.known[0] = 0
    if meets(state):
        reset(instance, state)
        room.listed_from[0] = 0
        for step in range(games.length[game] + 1):
            room.child_course.rest[step] = rest(instance, state)
            room.child_course.won[step] = held(score(instance, state))
            keep_state(position, room, step)
            if step < games.length[game]:
                if find(instance, state, games.name[game, step]) < 0:
                    room.listed_from[0] = step + 1
                play(instance, state, games.move[game, step])
        keep_course(room, 0, games.length[game])


@jit
def keep_state(position, room, step):
    """Keep the state after ``step`` moves if it is the next one to keep and there is room."""
    instance, state, _ = position
    if step == (room.known[0] + 1) * EVERY and room.known[0] < room.states[0].shape[0]:
        copy(instance, state, state_at(state, room.states, room.known[0]))
        room.known[0] += 1


@jit
def keep_course(room, begin, end):
    """Take over the course of the changed game, from ``begin`` to ``end`` moves, as that of the game."""
    for step in range(np.uint64(begin), np.uint64(end + 1)):
        room.course.rest[step] = room.child_course.rest[step]
        room.course.won[step] = room.child_course.won[step]
    for step in range(np.uint64(end + 1)):
        room.met[met_at(room, room.course.rest[step])] = step


@jit
def return_to(position, room, games, game, step):
    """Set up the state after ``step`` moves of a game from the last known one before; return 0 or a negative status."""
    instance, state, moves = position
    begin = max(min(step // EVERY, room.known[0]), 0)
    if begin == 0:
        reset(instance, state)
    else:
        copy(instance, state_at(state, room.states, begin - 1), state)
    for past in range(begin * EVERY, step):
        if not (finds(state) or room.permutes[0]):
            count = all_moves(instance, state, moves)
            if count < 0:
                return count
        play(instance, state, games.move[game, past])
        keep_state(position, room, past + 1)
    return 0


@jit
def retrace(position, room):
    """Make the moves of the changed game those that are legal where it is played, in a problem with ``rest``.

    Where a move has several numbers, a game that has met another one may have a number that is not listed.
    """
    instance, state, _ = position
    child = room.child
    if not meets(state):
        return
    reset(instance, state)
    for step in range(child.length[0]):
        move = find(instance, state, child.name[0, step])
        if move >= 0:
            child.move[0, step] = move
        play(instance, state, child.move[0, step])


@jit
def take_child(room, games, game, unchanged):
    """Put the changed game in the place of a game; ``unchanged`` first moves of the two are equal."""
    child = room.child
    length = child.length[0]
    for step in range(np.uint64(unchanged), np.uint64(length)):
        games.move[game, step] = child.move[0, step]
    for step in range(np.uint64(unchanged), np.uint64(length)):
        games.name[game, step] = child.name[0, step]
    games.length[game] = length
    games.score[game] = child.score[0]
    room.control[FATE] = TAKEN
    if room.known[0] != UNKNOWN:
        room.known[0] = min(room.known[0], unchanged // EVERY)
        keep_course(room, unchanged + 1, length)
