"""Whole games in one call of plain Python: of random moves, or in an order of moves.

The search and the problem share arrays, of which each reads what the other writes (``Model.share``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import score
from nrpa.engine.playout import playout
from nrpa.engine.random import uniform
from nrpa.engine.recording import first_step, no_room, record_end, record_move
from nrpa.engine.status import EXCEPTION
from nrpa.machine.callback import call_int64
from nrpa.machine.jit import by_type
from nrpa.python.kernels import FAILED, MOVE, NOTHING, SLOT, EvaluatedState, PythonState

# What a search says of the changed game before (``Order.before``), or that the one at hand goes on.
FORGOTTEN, KEPT, TAKEN, GO_ON = range(4)
# What is answered in place of the number of moves where one of the legal moves is to be drawn.
TO_BE_DRAWN = -100


class InOneCall(NamedTuple):
    """Draw each move evenly, and play the game from its present state to its end in one call."""

    draw: np.ndarray  # float64[steps]: random numbers, one for each move
    most: np.ndarray  # int64[1]: the most moves that may be made
    # made, mover, code: int64[steps]: the moves; who makes them, of one that is not a game 0; their codes
    made: np.ndarray
    mover: np.ndarray
    code: np.ndarray
    told: np.ndarray  # bool[1]: whether mover and code are wanted of all moves, and not the mover of the first alone

    @classmethod
    def holding(cls, steps: int, told: bool = False) -> InOneCall:
        """Return room for so many moves."""
        made, mover, code = np.zeros((3, steps), np.int64)
        return cls(np.zeros(steps), np.array([steps]), made, mover, code, np.array([told]))


@by_type(index=1)
def play_evenly(instance, state, choice, random):
    """Play a state to its end in one call; return the number of moves, or a status.

    The random numbers stay as they are: the caller draws as many as moves were made.
    """
    return EXCEPTION


@play_evenly.case(EvaluatedState)
@play_evenly.case(PythonState)
def _play_evenly(instance, state, choice, random):
    if state.cell[MOVE] == FAILED:
        return EXCEPTION
    before = random[0], random[1]
    for step in range(choice.most[0]):
        choice.draw[step] = uniform(random)
    random[0], random[1] = before
    steps = call_int64(instance.play_out, state.cell[SLOT], state.cell[MOVE])
    state.cell[MOVE] = NOTHING if steps >= 0 else FAILED
    return steps


@playout.case(InOneCall)
def _play_out(position, choice, record, random, weights):
    instance, state, _, _ = position
    steps = play_evenly(instance, state, choice, random)
    if steps < 0:
        return steps
    first = first_step(record)
    for step in range(steps):
        status = no_room(record, first + step, 0)
        if status < 0:
            return status
        record_move(record, first + step, 0, 0, choice.made[step])
    for _ in range(steps):
        uniform(random)
    record_end(record, first + steps, score(instance, state))
    return 0


class Order(NamedTuple):
    """Which order of moves is to be played, after the first moves of a game; these whole numbers are one record."""

    before: int  # FORGOTTEN, KEPT or TAKEN, what became of the changed game before; or GO_ON with a drawn move
    unchanged: int  # how many moves of the game stay
    wanted: int  # how many moves are wanted after these
    by_chance: int  # whether a random one is made before them
    permutes: int  # whether all moves that are left are legal
    replaced: int  # the move that a random one takes the place of, or -1
    drawn: int  # the index of the legal move that was drawn


ORDER = np.dtype([(field, np.int64) for field in Order._fields])


class Orders(NamedTuple):
    """The arrays that a search shares with a problem that plays orders of moves."""

    order: np.ndarray  # ORDER[1]
    wanted: np.ndarray  # int64[steps + 1]: the moves that are wanted, by rank
    made: np.ndarray  # int64[steps]: the moves of the whole game
    legal: np.ndarray  # int64[1]: how many moves are legal where one is to be drawn
    listed: np.ndarray  # int64[moves]: their hashes
    exp_bias: np.ndarray  # float64[moves]: their e^β; empty where it is not used


@by_type()
def in_python(state):
    """Return whether the problem is in plain Python, and so plays a whole order of moves at once."""
    return False


@in_python.case(EvaluatedState)
@in_python.case(PythonState)
def _in_python(state):
    return True


@by_type(index=1)
def play_order(instance, state):
    """Play an order of moves; return the number of moves, TO_BE_DRAWN, or another negative status."""
    return 0


@play_order.case(PythonState)
def _play_order(instance, state):
    state.cell[MOVE] = NOTHING
    return call_int64(instance.play_order, state.cell[SLOT], 0)
