"""The memory of a portfolio: whose turn it is, the best of all, and the memories of its arms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.game import Memo
from nrpa.engine.recording import Incumbent, Tally
from nrpa.solvers.tempering.ranks import NONE

# The playouts after which it is first known how long those of an arm are.
FIRST_PLAYOUTS = 10
# Of how many rounds it is known what was reached.
KEPT = 4


class Turns(NamedTuple):
    """Whose turn it is.

    - ``arm``, int64[1]: The arm that searches.
    - ``left``, int64[1]: The moves that are left of its turn after the next playouts.
    - ``playouts``, int64[1]: These playouts; then the length of the best one is looked at again.
    - ``round``, int64[1]: The rounds that are over.
    - ``reached``, float64[rounds]: The best score when each of the last ones was over, the last one first.
    - ``idle``, int64[1]: How many of them, up to the last one, have found nothing better.
    - ``latest``, int64[arms]: The round in which each has found the best of all last.
    - ``dropped``, bool[arms]: Which arms have no turn in this round.
    - ``leads``, int64[1]: The arm whose turns are longer; -1 where all are alike.
    """

    arm: np.ndarray
    left: np.ndarray
    playouts: np.ndarray
    round: np.ndarray
    reached: np.ndarray
    idle: np.ndarray
    latest: np.ndarray
    dropped: np.ndarray
    leads: np.ndarray


class PortfolioMemory(NamedTuple):
    """All that a portfolio needs to go on; ``best`` and ``tally`` are those of the whole."""

    turns: Turns
    best: Incumbent
    tally: Tally
    arms: tuple[Any, ...]


def allocate_turns(first_turns: Sequence[int], leads: int = NONE) -> Turns:
    """Return the turns of a portfolio that has not begun, of arms with these first turns; ``leads`` has longer ones."""
    arm, left, playouts, rounds, idle = np.zeros((5, 1), np.int64)
    left[0], playouts[0] = first_turns[0] - FIRST_PLAYOUTS, FIRST_PLAYOUTS
    latest, dropped = np.zeros(len(first_turns), np.int64), np.zeros(len(first_turns), np.bool_)
    return Turns(arm, left, playouts, rounds, np.full(KEPT, -np.inf), idle, latest, dropped, np.full(1, leads))


def incumbent_of(game: Memo) -> Incumbent:
    """Return a whole game as the best of all."""
    length = np.full(1, len(game.moves), np.int64)
    return Incumbent(np.ones(1, np.bool_), game.moves.copy(), length, np.full(1, game.score))
