"""The memory of parallel tempering: chains of games, rounds, and settings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.recording import Incumbent, Tally
from nrpa.solvers.tempering.changes import Shares
from nrpa.solvers.tempering.move_worth import MoveWorth

# Where chains anneal: the rounds of the first cooling; each later one takes twice as many.
FIRST_COOLING = 16


class Games(NamedTuple):
    """Whole games."""

    move: np.ndarray  # int64[games, steps]
    name: np.ndarray  # int64[games, steps]: the names of the moves (the kernel ``name``)
    length: np.ndarray  # int64[games]: the number of moves
    score: np.ndarray  # float64[games]


def allocate_games(games: int, steps: int) -> Games:
    """Return games without moves, of score -inf."""
    move, name = np.zeros((2, games, steps), np.int64)
    return Games(move, name, np.zeros(games, np.int64), np.full(games, -np.inf))


class Chains(NamedTuple):
    """The chains, the coldest first: every array has a row for each.

    - ``temperature``, float64[chains]: Its temperature, in units of the score; 0 before it is known.
    - ``random``, uint64[chains, 2]: The state of its random number generator.
    - ``done``, int64[chains]: The playouts of its turn; before the first turn, its random games.
    - ``first``, float64[chains, games]: The scores of its random games; NaN for what is not allowed.
    - ``worse``, float64[chains, 2]: Of this turn, the changes for the worse, and the sum of the probabilities to take
      them.
    - ``last``, float64[chains]: The score of its last playout; NaN before the first.
    - ``known``, float64[chains]: The best score that it knows of; only a better one is an improvement.
    - ``shares``: How often it tries each kind of change.
    - ``draws``: What random moves were worth.
    - ``permutes``, bool[chains]: Whether its games are all orders of the same moves, as far as is known.
    """

    games: Games
    temperature: np.ndarray
    random: np.ndarray
    done: np.ndarray
    first: np.ndarray
    worse: np.ndarray
    last: np.ndarray
    known: np.ndarray
    shares: Shares
    draws: MoveWorth
    permutes: np.ndarray


class Rounds(NamedTuple):
    """How far the chains are together.

    - ``begun``, bool[1]: Whether the first turns have begun.
    - ``number``, int64[1]: How often all chains had a turn since the last rotation.
    - ``chain``, int64[1]: The chain that has played last.
    - ``cooled``, int64[1]: The rounds of the cooling that are over.
    - ``cooling``, int64[1]: How many it has.
    """

    begun: np.ndarray
    number: np.ndarray
    chain: np.ndarray
    cooled: np.ndarray
    cooling: np.ndarray


def allocate_rounds() -> Rounds:
    """Return what is known before the random games, of which each chain plays some."""
    begun, number, cooled = np.zeros(1, np.bool_), np.zeros(1, np.int64), np.zeros(1, np.int64)
    return Rounds(begun, number, np.full(1, -1), cooled, np.full(1, FIRST_COOLING))


class TemperingMemory(NamedTuple):
    """All that a search needs to go on.

    - ``best``, ``tally``, ``random``, ``capacity``: As in every search (``nrpa.solvers.search.CompiledSearch``);
      ``random`` is for exchanges only.
    """

    chains: Chains
    rounds: Rounds
    best: Incumbent
    tally: Tally
    random: np.ndarray
    capacity: np.ndarray


class TemperingSettings(NamedTuple):
    """The options of the algorithm.

    - ``hottest``, ``coldest``: Temperatures, in units of the score; 0 for those that follow from the scores of random
      games.
    - ``period``: The playouts of a turn.
    - ``rotation``: After how many rounds each game is passed on to the next colder chain; 0 for never.
    - ``at_first``, float64[KINDS]: The share of each kind of change before any has gained.
    - ``changes_adapt``, ``temperatures_adapt``: Whether kinds of change are tried by what they gain, and temperatures
      follow the share of changes for the worse that are taken.
    - ``anneals``: Whether all chains are cooled again and again, in place of one being hotter than the other.
    - ``meets``: Whether the chains meet at the end of a round; those of a worker wait for others.
    """

    hottest: float
    coldest: float
    period: int
    rotation: int
    at_first: np.ndarray
    changes_adapt: bool
    temperatures_adapt: bool
    anneals: bool
    meets: bool
