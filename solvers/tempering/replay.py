"""A changed game is played again: what was before the change stays, the rest follows the names of its moves.

The wanted moves have ranks. At each step the legal one of the lowest rank is made, so that a move that is not legal in
its turn is made when it becomes legal. Where no wanted move is legal, a random move is made, drawn evenly or by what
such draws were worth before, and by β where it is used (``nrpa.solvers.tempering.move_worth``).

References
----------
koozdra, *Morpion-Julia*, ``RESEARCH.md`` of github.com/koozdra/Morpion-Julia, 2026: games as orders of their moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.kernels import (
    LAST,
    MADE,
    NO_MORE,
    STEP,
    TRIED,
    WAITING,
    WANTED,
    all_moves,
    copy,
    find,
    has_find,
    has_rest,
    legal_moves,
    name,
    note_trail,
    play,
    play_all,
    play_wanted,
    reset,
    score,
)
from nrpa.engine.playout import ExpBias, write_exp_bias
from nrpa.engine.status import NO_PROBABILITY, NO_SCORE, STOPPED, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, is_score
from nrpa.machine.jit import Stacked, held, into_caller, jit, stack_states, state_at
from nrpa.python.whole_games import (
    FORGOTTEN,
    GO_ON,
    KEPT,
    ORDER,
    TAKEN,
    TO_BE_DRAWN,
    Orders,
    in_python,
    play_order,
)
from nrpa.solvers.tempering.meeting import UNKNOWN, Meeting, allocate_meeting, has_met, keep_trail
from nrpa.solvers.tempering.memory import Games, allocate_games
from nrpa.solvers.tempering.move_worth import NO_DRAW, draw_index, worth_entry
from nrpa.solvers.tempering.ranks import NONE, Ranks, allocate_ranks, names_listed, next_listed

EVERY, MOST_STATES = 8, 128
# The entry of ``Replay.turn`` that ``play_wanted`` does not know.
DRAWN = LAST + 1


class Replay(NamedTuple):
    """What playing a game again needs beside it."""

    states: Stacked  # states of the game, one after each ``EVERY`` moves
    # int64[1]: how many of these states are those of the game; UNKNOWN where its trail is not known, either
    known: np.ndarray
    wanted: np.ndarray  # int64[steps + 1]: the names of the moves that are wanted after the change, by rank
    turn: np.ndarray  # int64[6]: what ``play_wanted`` takes; the number of random moves
    child: Games  # the changed game
    meeting: Meeting  # where games meet
    ranks: Ranks  # where moves are found in the list of the legal ones
    orders: Orders  # what is shared with a problem that plays a whole order of moves at once
    bias: ExpBias  # the bias β of random moves, where it is used
    drawn: np.ndarray  # int64[steps + 2]: the entries of the random moves (``MoveWorth``), to NO_DRAW
    permutes: np.ndarray  # bool[1]: whether all moves that are left are legal (``nrpa.solvers.tempering.permutation``)
    neighbours: np.ndarray  # int64[things, some]: what goes well behind each thing of an order; empty if not known
    where: np.ndarray  # int64[things]: where each thing is, or empty


def states_between(steps: int) -> int:
    """Return how many states of a game of so many moves are kept: the first ones, at most MOST_STATES."""
    return min(max(steps // EVERY, 1), MOST_STATES)


def allocate_replay(
    states: list[Any], steps: int, moves: int, bias: ExpBias, by_move: bool, neighbours: np.ndarray
) -> Replay:
    """Return arrays to play a game again, of at most so many steps, and so many legal moves of a state.

    ``by_move`` says whether a move is its own name, where there is no ``find``.
    """
    wanted, child = np.zeros(steps + 1, np.int64), allocate_games(1, steps)
    legal, listed = np.zeros(1, np.int64), np.zeros(moves, np.int64)
    exp_bias = np.zeros(moves if bias.by_move or len(bias.by_code) else 0)
    return Replay(
        states=stack_states(states),
        known=np.full(1, UNKNOWN, np.int64),
        wanted=wanted,
        turn=np.zeros(DRAWN + 1, np.int64),
        child=child,
        meeting=allocate_meeting(steps),
        ranks=allocate_ranks(steps, by_move),
        orders=Orders(np.zeros(1, ORDER), wanted, child.move[0], legal, listed, exp_bias),
        bias=bias,
        drawn=np.full(steps + 2, NO_DRAW),
        permutes=np.zeros(1, np.bool_),
        neighbours=neighbours,
        where=np.zeros(len(neighbours), np.int64),
    )


@jit
def replay_game(position, work, games, game, unchanged, wanted, by_chance, worth, is_even, random):
    """Play a changed game: the first ``unchanged`` moves of a game, then ``wanted`` names by rank.

    These names are the first of ``work.wanted``. If ``by_chance``, the first move after the change is a random one.
    Random moves are drawn evenly or by their ``worth``, by β where it is used, and noted in ``work.drawn``. Returns 0
    where the changed game was played to its end, the number of moves made where it has met the old one, or a negative
    status.
    """
    for step in range(unchanged):
        work.child.move[0, step] = games.move[game, step]
        work.child.name[0, step] = games.name[game, step]
    work.drawn[0] = NO_DRAW
    if in_python(position.state) and work.ranks.by_move[0]:
        status = replay_at_once(position, work, games, game, unchanged, wanted, by_chance, worth, is_even, random)
    else:
        # Which number a code in plain Python has depends on the workers; what is drawn must not.
        is_even = is_even or in_python(position.state)
        status = replay_step_by_step(position, work, games, game, unchanged, wanted, by_chance, worth, is_even, random)
    if status != 0:
        return status
    work.child.score[0] = held(score(position.instance, position.state))
    return 0 if is_score(work.child.score[0]) else NO_SCORE


@jit
def replay_at_once(position, work, games, game, unchanged, wanted, by_chance, worth, is_even, random):
    """Play a changed game as ``replay_game`` does, without its score, where a problem plays a whole order at once."""
    instance, state, _, _ = position
    child, order, listed = work.child, work.orders.order[0], work.orders.listed
    if work.known[0] == UNKNOWN:
        order["before"] = FORGOTTEN
    if wanted > 0:
        work.known[0] = 0
    order["unchanged"], order["wanted"], order["by_chance"] = unchanged, wanted, by_chance
    order["permutes"], order["replaced"] = work.permutes[0], replaced(games, game, unchanged, wanted)
    random_moves = 0
    steps = np.int64(play_order(instance, state))
    while steps == TO_BE_DRAWN:
        order["drawn"] = draw_move(work, worth, game, is_even, listed, work.orders.legal[0], random_moves, random)
        order["before"] = GO_ON
        random_moves += 1
        steps = np.int64(play_order(instance, state))
    if steps < 0:
        work.known[0] = UNKNOWN
        return steps
    order["before"] = KEPT
    for step in range(unchanged, steps):
        child.name[0, step] = child.move[0, step]
    child.length[0] = steps
    return 0


@jit
def replay_step_by_step(position, work, games, game, unchanged, wanted, by_chance, worth, is_even, random):
    """Do so, but for the score, in a problem that is asked for each move."""
    _, state, _, stop = position
    if work.known[0] == UNKNOWN and wanted > 0:
        learn_game(position, work, games, game)
    failure = return_to(position, work, games, game, unchanged)
    if failure < 0:
        return failure
    work.ranks.entered[0] = False
    turn = work.turn
    turn[WAITING], turn[TRIED], turn[WANTED], turn[STEP], turn[DRAWN] = 0, 0, wanted, unchanged, 0
    status = MADE
    while status != NO_MORE:
        if work.permutes[0] and not by_chance and turn[TRIED] < turn[WANTED]:
            play_unlisted(position, work)
        count = 0 if has_find(state) else list_legal_moves(position, work)
        status = STOPPED if stop[0] else min(count, NO_MORE)
        if status == NO_MORE and not by_chance:
            status = play_found(position, work) if has_find(state) else play_if_listed(position, work, count)
        if status == NO_MORE:
            called_before = replaced(games, game, unchanged, turn[WANTED])
            count = list_legal_moves(position, work) if has_find(state) else count
            status = play_drawn(position, work, worth, game, is_even, count, called_before, random)
        by_chance = False
        if status < 0:
            return status
        if status == MADE and has_met(position, work, games, game):
            return turn[STEP]
    work.child.length[0] = turn[STEP]
    return 0


@into_caller
def play_drawn(position, work, worth, game, is_even, count, called_before, random):
    """Make one of the listed moves, drawn; return MADE, NO_MORE where there is none, or a negative status."""
    instance, state, moves, _ = position
    if count <= 0:
        return count
    turn, names = work.turn, names_listed(work.ranks, moves)
    index = draw_move(work, worth, game, is_even, names, count, turn[DRAWN], random)
    turn[DRAWN] += 1
    called = name(instance, state, moves, index) if has_find(state) else names[index]
    if work.permutes[0] and called != called_before:
        turn[WANTED] = without_last(work.wanted, turn[TRIED], turn[WANTED], called)
    return play_listed(position, work, index, called)


@jit
def play_found(position, work):
    """Make wanted moves, of a problem with ``find``; one at a time in plain Python, which may take long."""
    instance, state, _, _ = position
    turn, child, new, old = work.turn, work.child, work.meeting.new, work.meeting.old
    if turn[WAITING] == 0 and turn[TRIED] == turn[WANTED]:
        return NO_MORE
    turn[LAST] = turn[STEP] + 1 if in_python(state) else child.move.shape[1] + 1
    return np.int64(
        play_wanted(
            instance,
            state,
            work.wanted,
            turn,
            child.move[0],
            child.name[0],
            new.rest,
            new.won,
            old.rest,
            work.meeting.met,
        )
    )


@into_caller
def play_if_listed(position, work, count):
    """Make the move of the lowest rank that is listed, if there is one."""
    turn = work.turn
    names = names_listed(work.ranks, position.moves)
    index, turn[TRIED] = next_listed(work.ranks, work.wanted, turn[TRIED], turn[WANTED], names, count)
    return NO_MORE if index == NONE else play_listed(position, work, index, names[index])


@into_caller
def play_listed(position, work, index, called):
    """Make one of the listed moves; return MADE, or TOO_MANY_STEPS."""
    instance, state, moves, _ = position
    child, meeting, step = work.child, work.meeting, work.turn[STEP]
    if step == child.move.shape[1]:
        return TOO_MANY_STEPS
    child.move[0, step], child.name[0, step] = moves.move[index], called
    play(instance, state, moves.move[index])
    work.turn[STEP] += 1
    note_trail(instance, state, meeting.new.rest, meeting.new.won, meeting.old.rest, meeting.met, step + 1)
    return MADE


@jit
def play_unlisted(position, work):
    """Make the moves that are wanted, which are their own names, up to the capacity."""
    instance, state, _, _ = position
    child, turn = work.child, work.turn
    begin, step = turn[TRIED], turn[STEP]
    end = min(turn[WANTED], begin + child.move.shape[1] - step)
    play_all(instance, state, work.wanted, begin, end)
    for rank in range(np.uint64(begin), np.uint64(end)):
        child.move[0, step] = child.name[0, step] = work.wanted[rank]
        step += 1
    turn[STEP], turn[TRIED] = step, turn[WANTED]


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
def draw_move(work, worth, game, is_even, names, count, random_moves, random):
    """Draw a legal move after so many random moves, and note it; return its index."""
    index = draw_index(worth, game, is_even, names, work.orders.exp_bias, count, random)
    work.drawn[random_moves] = worth_entry(names[index])
    work.drawn[random_moves + 1] = NO_DRAW
    return index


@jit
def list_legal_moves(position, work):
    """List the legal moves, and e^β of each where it is used; return their number, or a negative status."""
    instance, state, moves, _ = position
    exp_bias = work.orders.exp_bias
    count = legal_moves(instance, state, moves)
    if count > moves.move.shape[0]:
        return TOO_MANY_MOVES_AT_ONCE
    if exp_bias.shape[0] > 0 and count > 0 and write_exp_bias(work.bias, moves, count, exp_bias) < 0:
        return NO_PROBABILITY
    return count


@jit
def learn_game(position, work, games, game):
    """Play a game of which nothing is known to its end; keep its trail, and states on the way."""
    instance, state, _, _ = position
    meeting, length = work.meeting, games.length[game]
    work.known[0] = 0
    if not has_rest(state):
        return
    reset(instance, state)
    meeting.listed_from[0] = 0
    for step in range(length + 1):
        note_trail(instance, state, meeting.new.rest, meeting.new.won, meeting.old.rest, meeting.met, step)
        keep_state(position, work, step)
        if step < length:
            if find(instance, state, games.name[game, step]) < 0:
                meeting.listed_from[0] = step + 1
            play(instance, state, games.move[game, step])
    keep_trail(state, meeting, 0, length)


@jit
def return_to(position, work, games, game, step):
    """Set up the state after ``step`` moves of a game from the last known one before; return 0 or a negative status."""
    instance, state, moves, _ = position
    begin = max(min(step // EVERY, work.known[0]), 0)
    if begin == 0:
        reset(instance, state)
    else:
        copy(instance, state_at(state, work.states, begin - 1), state)
    past = begin * EVERY
    if has_find(state) or work.permutes[0]:
        while past < step:
            end = min(past + EVERY, step)
            play_all(instance, state, games.move[game], past, end)
            keep_state(position, work, end)
            past = end
    else:
        for at in range(past, step):
            count = all_moves(instance, state, moves)
            if count < 0:
                return count
            play(instance, state, games.move[game, at])
            keep_state(position, work, at + 1)
    return 0


@jit
def keep_state(position, work, step):
    """Keep the state after ``step`` moves if it is the next one to keep and there is room."""
    instance, state, _, _ = position
    if step == (work.known[0] + 1) * EVERY and work.known[0] < work.states.fields[0].shape[0]:
        copy(instance, state, state_at(state, work.states, work.known[0]))
        work.known[0] += 1


@jit
def retrace(position, work):
    """Make the moves of the changed game those that are legal where it is played, in a problem with ``rest``.

    Where a move has several numbers, a game that has met another one may have a number that is not listed.
    """
    instance, state, _, _ = position
    child = work.child
    if not has_rest(state):
        return
    reset(instance, state)
    for step in range(child.length[0]):
        move = find(instance, state, child.name[0, step])
        if move >= 0:
            child.move[0, step] = move
        play(instance, state, child.move[0, step])


@jit
def take_child(position, work, games, game, unchanged):
    """Put the changed game in the place of a game; ``unchanged`` first moves of the two are equal."""
    child = work.child
    length = child.length[0]
    for step in range(np.uint64(unchanged), np.uint64(length)):
        games.move[game, step] = child.move[0, step]
    for step in range(np.uint64(unchanged), np.uint64(length)):
        games.name[game, step] = child.name[0, step]
    games.length[game] = length
    games.score[game] = child.score[0]
    work.orders.order[0]["before"] = TAKEN
    if work.known[0] != UNKNOWN:
        work.known[0] = min(work.known[0], unchanged // EVERY)
        keep_trail(position.state, work.meeting, unchanged + 1, length)
