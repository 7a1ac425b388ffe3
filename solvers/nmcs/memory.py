"""The memory of NMCS, its work areas and settings.

Level 0 is one playout. Every level has its own state, the moves that led to it, and the legal moves still to be tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.playout import ByRule, Cut
from nrpa.engine.recording import Incumbent, Tally
from nrpa.machine.jit import Stacked


class NMCSLevels(NamedTuple):
    """The levels of a search, in place of recursion."""

    begun: np.ndarray  # bool[1]: whether the search has begun
    active: np.ndarray  # int64[1]: the level that goes on next
    phase: np.ndarray  # int64[levels + 1]: LISTING, TRYING or JUDGING
    depth: np.ndarray  # int64[levels + 1]: how many moves lead from the root to the state of a level
    path: np.ndarray  # int64[levels + 1, steps]: these moves
    move: np.ndarray  # int64[levels + 1, moves]: the legal moves of a level's state
    listed: np.ndarray  # int64[levels + 1]: how many they are
    tried: np.ndarray  # int64[levels + 1]: how many of them have been tried; or how many playouts have judged them
    judged: np.ndarray  # float64[levels + 1, moves]: the sum of the scores of these playouts
    found: np.ndarray  # bool[levels + 1]: whether a level's current search has a best sequence
    best: np.ndarray  # int64[levels + 1, steps]: that sequence from the root; for level 0 the last playout
    length: np.ndarray  # int64[levels + 1]: its number of moves
    score: np.ndarray  # float64[levels + 1]


class NMCSMemory(NamedTuple):
    """All that a search needs to go on; the states of the levels follow from their paths."""

    levels: NMCSLevels
    # best, tally, random, capacity: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    capacity: np.ndarray


class NMCSWork(NamedTuple):
    """NMCSWork areas."""

    states: Stacked  # of levels + 1 states
    restored: np.ndarray  # bool[1]: whether these are the states that the paths of the levels lead to
    weights: np.ndarray  # float64[max_moves]: for a playout


class NMCSSettings(NamedTuple):
    """The options of the algorithm."""

    choice: ByRule | Cut  # how playouts choose, and whether they are cut
    # The levels, the lowest, that follow the best sequence of their current step only; the others follow that of their
    # whole search
    forget: int
    prune: float  # the share of moves that are not searched; 0: none
    judging: int  # how many playouts judge a move
