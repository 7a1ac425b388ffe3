"""The memory of NRPA and GNRPA, its work areas and settings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.policy import DensePolicy, HashedPolicy
from nrpa.engine.recording import Incumbent, Sequences, Tally
from nrpa.solvers.nrpa.adapt import Bias, Rates
from nrpa.solvers.nrpa.improve import ByKernel


class NRPALevels(NamedTuple):
    """The levels of a search, in place of recursion."""

    begun: np.ndarray  # bool[1]: whether the levels have been entered
    slot: np.ndarray  # int64[levels + 1]: which sequence belongs to a level: its best; for level 0 the last playout
    iteration: np.ndarray  # int64[levels + 1]: how many iterations of its current search a level has done
    # int64[levels + 1]: how often a level's best sequence was found again; not counted without limited repetitions
    repeated: np.ndarray


class NRPAMemory(NamedTuple):
    """All that a search needs to go on."""

    policy: DensePolicy | HashedPolicy  # that of all levels
    sequences: Sequences  # one for each level, and one for the playout
    levels: NRPALevels
    # best, tally, random, capacity: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    capacity: np.ndarray
    fronts: Any = ()  # of a search for fronts (``nrpa.solvers.nrpa.front``)


class NRPAWork(NamedTuple):
    """Work areas. Their content does not matter between calls."""

    weights: np.ndarray  # float64[max_moves]: for a playout
    factors: np.ndarray  # float64[max_total]: for Adapt
    improvement: ByKernel | None  # how playouts that beat the best of their level are improved
    radix: Any = ()  # of a search for fronts


class NRPASettings(NamedTuple):
    """The options of the algorithm."""

    iterations: np.ndarray  # int64[levels + 1]: N, the iterations of each level
    # int64[levels + 1]: R: a level ends when its best sequence was found again so often; 0 for never
    repetitions: np.ndarray
    adapt: int  # which of the three Adapts is used (``nrpa.solvers.nrpa.adapt``)
    bias: Bias  # whether β comes with the moves, and γ
    rates: Rates  # the learning rate of each level
