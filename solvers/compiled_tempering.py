"""The compiled search of parallel tempering: chains of games at different temperatures, which take turns.

References
----------
N. Metropolis et al., *Equation of State Calculations by Fast Computing Machines*, 1953: which changes are taken.

R. H. Swendsen and J.-S. Wang, *Replica Monte Carlo Simulation of Spin-Glasses*, 1986: chains at several temperatures.

K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, 1996: exchanges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.incumbent import Incumbent, Tally, count_playout
from nrpa.engine.jit import jit
from nrpa.engine.random import uniform
from nrpa.engine.replay import UNKNOWN, Games, replay, retrace, take_child
from nrpa.engine.status import BUDGET_USED, IMPROVED
from nrpa.solvers.compiled_changes import Shares, adapt_shares, change, count_change, draw_kind

FIRST_GAMES = 100
# Hottest and coldest temperature in standard deviations of the scores of random games.
HOTTEST, COLDEST = 0.22, 0.05
# Where temperatures adapt: what share of the changes for the worse the coldest and the hottest chain take, and how far
# the logarithm of a temperature moves in a turn.
COLDEST_TAKEN, HOTTEST_TAKEN = 0.00001, 0.03
LARGEST_STEP, FEWEST_TAKEN = 0.5, 1e-9


class Chains(NamedTuple):
    """The chains, the coldest first.

    - ``temperature``, float64[chains]: The temperature of each, in units of the score; 0 before it is known.
    - ``turn``, int64[1]: Whose turn it is.
    - ``done``, int64[1]: The playouts of this turn; before the first turn, the random games.
    - ``begun``, bool[1]: Whether the first turn has begun.
    - ``rounds``, int64[1]: How often all chains had a turn since the last rotation.
    - ``moments``, float64[3]: Number, mean, and sum of squared differences from it, of the scores of random games.
    - ``worse``, float64[2]: Of this turn, the changes for the worse, and the sum of the probabilities to take them.
    - ``shares``: How often each chain tries each kind of change.
    """

    games: Games
    temperature: np.ndarray
    turn: np.ndarray
    done: np.ndarray
    begun: np.ndarray
    rounds: np.ndarray
    moments: np.ndarray
    worse: np.ndarray
    shares: Shares


class Memory(NamedTuple):
    """All that a search needs to go on.

    - ``best``, ``tally``, ``random``, ``room``: As in every search (``nrpa.solvers.search.CompiledSearch``).
    """

    chains: Chains
    best: Incumbent
    tally: Tally
    random: np.ndarray
    room: np.ndarray


class Settings(NamedTuple):
    """The options of the algorithm.

    - ``hottest``, ``coldest``: Temperatures, in units of the score; 0 for those that follow from the scores of random
      games.
    - ``period``: The playouts of a turn.
    - ``rotation``: After how many rounds each game is passed on to the next colder chain; 0 for never.
    - ``changes_adapt``, ``temperatures_adapt``: Whether kinds of change are tried by what they gain, and temperatures
      follow the share of changes for the worse that are taken.
    """

    hottest: float
    coldest: float
    period: int
    rotation: int
    changes_adapt: bool
    temperatures_adapt: bool


def advance_tempering(position, memory, room, settings, budget):
    """Search on by parallel tempering, from where the last call ended.

    Returns IMPROVED after the playout that improved the best score of all; BUDGET_USED after ``budget.playouts`` more
    playouts; or the negative status of a playout that failed (``nrpa.engine.status``).

    Source: K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, 1996.
    """
    chains, random = memory.chains, memory.random
    games = chains.games
    for _ in range(budget.playouts):
        first, second = random[0], random[1]
        if not chains.begun[0]:
            chain = chains.done[0] % games.length.shape[0]
            kind, unchanged, wanted, by_chance = 0, 0, 0, False
        else:
            chain = chains.turn[0]
            kind = draw_kind(chains.shares, chain, random)
            unchanged, wanted, by_chance = change(room.wanted, games, chain, kind, random)
        status = replay(position, room, games, chain, unchanged, wanted, by_chance, random)
        if status < 0:
            random[0], random[1] = first, second
            return status
        child = room.child
        if child.score[0] > memory.best.score[0]:
            retrace(position, room)
        improved = count_playout(memory.best, memory.tally, child.move[0], child.length[0], child.score[0])
        if chains.begun[0]:
            take_or_leave(chains, room, chain, kind, unchanged, random)
            end_playout(chains, room, settings, random)
        else:
            begin(chains, room, settings, chain)
        if improved:
            return IMPROVED
    return BUDGET_USED


@jit
def begin(chains, room, settings, chain):
    """Count a random game: a chain begins with its best one; the last one settles the temperatures."""
    child, games = room.child, chains.games
    if child.score[0] > games.score[chain] or games.length[chain] == 0:
        take_child(room, games, chain, 0)
    chains.done[0] += 1
    add_to_moments(chains.moments, child.score[0])
    if chains.done[0] == max(FIRST_GAMES, games.length.shape[0]):
        set_temperatures(chains, settings)
        chains.begun[0] = True
        chains.done[0] = 0


@jit
def add_to_moments(moments, value):
    """Count one more value (Welford, 1962)."""
    mean = moments[1]
    moments[0] += 1.0
    moments[1] += (value - mean) / moments[0]
    moments[2] += (value - mean) * (value - moments[1])


@jit
def set_temperatures(chains, settings):
    """Settle the temperatures: a geometric series between the two that are given, or that follow from the scores.

    Where one is given and the other would follow from the scores as beyond it, both are the one that is given.
    """
    spread = np.sqrt(chains.moments[2] / max(chains.moments[0], 1.0))
    if not (spread > 0.0 and spread < np.inf):
        spread = 1.0
    hottest = settings.hottest if settings.hottest > 0.0 else HOTTEST * spread
    coldest = settings.coldest if settings.coldest > 0.0 else min(COLDEST * spread, hottest)
    hottest = max(hottest, coldest)
    last = chains.temperature.shape[0] - 1
    for chain in range(last + 1):
        part = chain / max(last, 1)
        chains.temperature[chain] = coldest ** (1.0 - part) * hottest**part


@jit
def adapt_temperature(chains, chain):
    """Bring the share of changes for the worse that are taken nearer to that of the chain.

    Those shares are a geometric series from the coldest to the hottest chain.
    """
    if chains.worse[0] == 0.0:
        return
    part = chain / max(chains.temperature.shape[0] - 1, 1)
    wanted = COLDEST_TAKEN ** (1.0 - part) * HOTTEST_TAKEN**part
    taken = chains.worse[1] / chains.worse[0] + FEWEST_TAKEN
    step = np.log(wanted / taken) / -np.log(wanted)
    chains.temperature[chain] *= np.exp(min(max(step, -LARGEST_STEP), LARGEST_STEP))


@jit
def take_or_leave(chains, room, chain, kind, unchanged, random):
    """Put the changed game in the place of the chain's, or not; count what tells kinds and temperatures apart."""
    games, child = chains.games, room.child
    temperature, gain = chains.temperature[chain], child.score[0] - games.score[chain]
    if gain < 0.0:
        chains.worse[0] += 1.0
        chains.worse[1] += np.exp(gain / temperature)
    is_new = is_taken(child.score[0], games.score[chain], temperature, random)
    count_change(chains.shares, chain, kind, gain, child.length[0] - unchanged + 1)
    if is_new:
        take_child(room, games, chain, unchanged)


@jit
def is_taken(new, old, temperature, random):
    """Return whether a change of the score is taken (Metropolis et al., 1953)."""
    if new >= old:
        return True
    return uniform(random) < np.exp((new - old) / temperature)


@jit
def end_playout(chains, room, settings, random):
    """Count a playout of the chain whose turn it is; after the last chain's turn, neighbours exchange their games."""
    chains.done[0] += 1
    if chains.done[0] < settings.period:
        return
    chains.done[0] = 0
    room.known[0] = UNKNOWN
    if settings.changes_adapt:
        adapt_shares(chains.shares, chains.turn[0])
    if settings.temperatures_adapt:
        adapt_temperature(chains, chains.turn[0])
    chains.worse[0] = chains.worse[1] = 0.0
    chains.turn[0] += 1
    if chains.turn[0] < chains.temperature.shape[0]:
        return
    chains.turn[0] = 0
    for chain in range(chains.temperature.shape[0] - 1, 0, -1):
        if is_exchanged(chains, chain, random):
            exchange(chains.games, chain - 1, chain)
    chains.rounds[0] += 1
    if chains.rounds[0] == settings.rotation:
        chains.rounds[0] = 0
        rotate(chains.games)


@jit
def rotate(games):
    """Pass each game on to the next colder chain, and the coldest one's to the hottest."""
    for chain in range(1, games.length.shape[0]):
        exchange(games, chain - 1, chain)


@jit
def is_exchanged(chains, chain, random):
    """Return whether a chain and the next colder one exchange their games.

    Source: K. Hukushima and K. Nemoto, 1996: the probability is min(1, exp((E - E') (1/T - 1/T'))), E being minus the
    score.
    """
    score = chains.games.score
    if score[chain] >= score[chain - 1]:
        return True
    gain = score[chain] - score[chain - 1]
    return uniform(random) < np.exp(gain * (1.0 / chains.temperature[chain - 1] - 1.0 / chains.temperature[chain]))


@jit
def exchange(games, one, other):
    """Exchange two games."""
    for step in range(max(games.length[one], games.length[other])):
        games.move[one, step], games.move[other, step] = games.move[other, step], games.move[one, step]
        games.name[one, step], games.name[other, step] = games.name[other, step], games.name[one, step]
    games.length[one], games.length[other] = games.length[other], games.length[one]
    games.score[one], games.score[other] = games.score[other], games.score[one]
