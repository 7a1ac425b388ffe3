"""The compiled search of parallel tempering: chains of games, each with a temperature and random numbers of its own.

References
----------
N. Metropolis et al., *Equation of State Calculations by Fast Computing Machines*, 1953: which changes are taken.

R. H. Swendsen and J.-S. Wang, *Replica Monte Carlo Simulation of Spin-Glasses*, 1986: chains at several temperatures.

K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, 1996: exchanges.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.kernels import is_evaluated
from nrpa.engine.random import uniform
from nrpa.engine.recording import keep_best
from nrpa.engine.status import BUDGET_USED, IMPROVED, INTERRUPTED, LARGEST_SCORE, STOPPED
from nrpa.machine.jit import into_caller, jit
from nrpa.solvers.tempering.changes import LEAVE_OUT_BY_WORTH, adapt_shares, change, count_change, draw_kind
from nrpa.solvers.tempering.meeting import UNKNOWN
from nrpa.solvers.tempering.memory import FIRST_COOLING
from nrpa.solvers.tempering.move_worth import count_draws
from nrpa.solvers.tempering.permutation import check_rules
from nrpa.solvers.tempering.replay import replay_game, retrace, take_child
from nrpa.solvers.tempering.sequence import evaluate_changed, take_or_undo

FIRST_GAMES = 100
# The games of each chain after which things are brought to their neighbours, which are not worth finding before.
NEIGHBOURS_FROM = 10_000
# Hottest and coldest temperature in standard deviations of the scores of random games.
HOTTEST, COLDEST = 0.22, 0.05
# Where temperatures adapt: what share of the changes for the worse the coldest and the hottest chain take, and how far
# the logarithm of a temperature moves in a turn.
COLDEST_TAKEN, HOTTEST_TAKEN = 0.00001, 0.03
LARGEST_STEP, FEWEST_TAKEN, LOWEST_POWER = 0.5, 1e-9, -60.0


def advance_tempering(position, memory, work, settings, budget):
    """Search on by parallel tempering, from where the last call ended.

    Playouts count as if the chains played one each in turn; here a chain plays as many as it can before the next one
    does. After a round of turns neighbours exchange their games.

    Returns IMPROVED after a playout that is better than all its chain knows of; BUDGET_USED after ``budget.playouts``
    more playouts; or the negative status of a playout that failed (``nrpa.engine.status``).

    Source: K. Hukushima and K. Nemoto, *Exchange Monte Carlo Method and Application to Spin Glass Simulations*, 1996.
    """
    chains, rounds = memory.chains, memory.rounds
    left, number = budget.playouts, chains.done.shape[0]
    while True:
        turn = settings.period if rounds.begun[0] else chains.first.shape[1]
        done = played_of_turn(chains)
        if done == turn * number and settings.meets:
            end_turns(memory, work, settings)
            continue
        if left <= 0 or done == turn * number:
            return BUDGET_USED
        end = end_of_slice(chains, done, left, turn * number)
        for chain in range(number):
            goal = (end - chain + number - 1) // number
            if chains.done[chain] < goal and (chain != rounds.chain[0] or chains.done[chain] == 0):
                work.known[0] = UNKNOWN
                rounds.chain[0] = chain
            random = chains.random[chain]
            while chains.done[chain] < goal:
                status = play_on(position, memory, work, chain, random)
                if status < 0:
                    return status
                left -= 1
                if status == IMPROVED:
                    return IMPROVED


@jit
def played_of_turn(chains):
    """Return how many playouts of their turns the chains have done together."""
    done = 0
    for chain in range(chains.done.shape[0]):
        done += chains.done[chain]
    return done


@jit
def end_of_slice(chains, done, left, most):
    """Return the turn up to which chains miss ``left`` playouts, at most ``most``.

    Chains that were stopped in the middle of a slice have ``done`` other numbers of playouts than in turns.
    """
    number = chains.done.shape[0]
    fewest = done
    for chain in range(number):
        fewest = min(fewest, chains.done[chain])
    end = min(fewest * number + left, most)
    while True:
        missing = 0
        for chain in range(number):
            missing += max((end - chain + number - 1) // number - chains.done[chain], 0)
        if missing >= left or end == most:
            return end
        end = min(end + left - missing, most)


@into_caller
def play_on(position, memory, work, chain, random):
    """Play a changed game of a chain, or a random one before the first turns; return whether it improves (IMPROVED)."""
    chains, child = memory.chains, work.child
    if is_evaluated(position.state):
        status, kind, how = evaluate_changed(position, chains, work, memory.rounds.begun[0], chain, random)
    else:
        status, kind, unchanged = play_as_permutation(position, memory, work, chain, random)
        how = unchanged, -1, child.length[0], True
    if status < 0:
        return status
    memory.tally.playouts[0] += 1
    chains.last[chain] = child.score[0]
    improved = child.score[0] > chains.known[chain]
    if improved:
        retrace(position, work)
        chains.known[chain] = child.score[0]
        keep_best(memory.best, child.move[0], child.length[0], child.score[0])
    if memory.rounds.begun[0]:
        take_or_leave(position, chains, work, chain, kind, how, random)
    else:
        begin_chain(position, chains, work, chain)
    chains.done[chain] += 1
    return IMPROVED if improved else BUDGET_USED


@jit
def play_as_permutation(position, memory, work, chain, random):
    """Do what ``play_changed`` does, without lists of legal moves as long as all games are orders of the same moves."""
    chains = memory.chains
    work.permutes[0] = memory.rounds.begun[0] and chains.permutes[chain]
    while True:
        status, kind, unchanged = play_changed(position, memory, work, chain, random)
        if status >= 0 or status in (INTERRUPTED, STOPPED) or not work.permutes[0]:
            return status, kind, unchanged
        make_lists(chains, memory.best, work, chain)


@jit
def play_changed(position, memory, work, chain, random):
    """Play a changed game of a chain, or a random one before the first turns.

    Returns 0 or more, or a negative status, the random numbers then being those of before; the kind of change; and how
    many moves are unchanged.
    """
    chains = memory.chains
    first, second = random[0], random[1]
    kind, unchanged, wanted, by_chance = 0, 0, 0, False
    if memory.rounds.begun[0]:
        kind = draw_kind(chains.shares, chain, random)
        unchanged, wanted, by_chance = change(work.wanted, chains.games, chain, kind, random)
    is_even = kind < LEAVE_OUT_BY_WORTH
    status = replay_game(
        position, work, chains.games, chain, unchanged, wanted, by_chance, chains.draws, is_even, random
    )
    if status >= 0 and work.permutes[0] and work.child.score[0] > chains.known[chain]:
        status = check_rules(position, work.child)
    if status < 0:
        random[0], random[1] = first, second
    return status, kind, unchanged


@jit
def make_lists(chains, best, work, chain):
    """Let a chain, whose game may not keep the rules, go on from the best one, with lists of legal moves."""
    chains.permutes[chain] = work.permutes[0] = False
    work.known[0] = UNKNOWN
    games = chains.games
    for step in range(best.length[0]):
        games.move[chain, step] = games.name[chain, step] = best.move[step]
    games.length[chain], games.score[chain] = best.length[0], best.score[0]


@jit
def begin_chain(position, chains, work, chain):
    """Count a random game: a chain begins with its best one."""
    child, games = work.child, chains.games
    chains.first[chain, chains.done[chain]] = child.score[0] if child.score[0] > -LARGEST_SCORE else np.nan
    if child.score[0] > games.score[chain] or games.length[chain] == 0:
        take_child(position, work, games, chain, 0)


@jit
def end_turns(memory, work, settings):
    """After the turns of all chains, let neighbours exchange their games; after the random games, set temperatures."""
    chains, rounds = memory.chains, memory.rounds
    number = chains.done.shape[0]
    best = -np.inf
    for chain in range(number):
        best = max(best, chains.known[chain])
        chains.done[chain] = 0
    for chain in range(number):
        chains.known[chain] = best
    if not rounds.begun[0]:
        set_temperatures(memory, settings)
        rounds.begun[0] = True
        return
    cool(rounds)
    played = (rounds.cooling[0] - FIRST_COOLING + rounds.cooled[0]) * settings.period
    to_neighbours = work.neighbours.shape[0] > 0 and played >= NEIGHBOURS_FROM
    if not settings.temperatures_adapt:
        set_temperatures(memory, settings)
    for chain in range(number):
        if settings.changes_adapt:
            adapt_shares(chains.shares, chain, settings.at_first, to_neighbours)
        if settings.temperatures_adapt:
            adapt_temperature(chains, chain, heat(memory, settings, chain))
        chains.worse[chain, 0] = chains.worse[chain, 1] = 0.0
    for chain in range(number - 1, 0, -1):
        if is_exchanged(chains, chain, memory.random):
            exchange_games(chains.games, chain - 1, chain)
    rounds.number[0] += 1
    if rounds.number[0] == settings.rotation:
        rounds.number[0] = 0
        rotate(chains.games, number)


@jit
def cool(rounds):
    """Count a round of the cooling; after the last one another begins, twice as long."""
    rounds.cooled[0] += 1
    if rounds.cooled[0] == rounds.cooling[0]:
        rounds.cooled[0] = 0
        rounds.cooling[0] *= 2


@jit
def heat(memory, settings, chain):
    """Return how hot a chain shall be, from 0, the coldest, to 1."""
    if settings.anneals:
        return 1.0 - (memory.rounds.cooled[0] + 1.0) / memory.rounds.cooling[0]
    return chain / max(memory.chains.done.shape[0] - 1, 1)


@jit
def set_temperatures(memory, settings):
    """Settle the temperatures: a geometric series between the two that are given, or that follow from the scores.

    Where one is given and the other would follow from the scores as beyond it, both are the one that is given.
    """
    chains = memory.chains
    spread = np.nanstd(chains.first)
    if not (spread > 0.0 and spread < np.inf):
        spread = 1.0
    hottest = settings.hottest if settings.hottest > 0.0 else HOTTEST * spread
    coldest = settings.coldest if settings.coldest > 0.0 else min(COLDEST * spread, hottest)
    hottest = max(hottest, coldest)
    for chain in range(chains.temperature.shape[0]):
        part = heat(memory, settings, chain)
        chains.temperature[chain] = coldest ** (1.0 - part) * hottest**part


@jit
def adapt_temperature(chains, chain, part):
    """Bring the share of changes for the worse that are taken nearer to what it is to be.

    That is a geometric series from the coldest (``part`` = 0) to the hottest (1).
    """
    if chains.worse[chain, 0] == 0.0:
        return
    wanted = COLDEST_TAKEN ** (1.0 - part) * HOTTEST_TAKEN**part
    taken = chains.worse[chain, 1] / chains.worse[chain, 0] + FEWEST_TAKEN
    step = np.log(wanted / taken) / -np.log(wanted)
    chains.temperature[chain] *= np.exp(min(max(step, -LARGEST_STEP), LARGEST_STEP))


@into_caller
def take_or_leave(position, chains, work, chain, kind, how, random):
    """Put the changed game in the place of the chain's, or not (Metropolis et al., 1953); count what tells kinds apart.

    A change for the worse is taken with a probability, the sum of which tells temperatures apart.
    """
    games, child = chains.games, work.child
    gain = child.score[0] - games.score[chain]
    is_new = not gain < 0.0
    if not is_new:
        # Lower powers of e are slow, and are never drawn.
        power = gain / chains.temperature[chain]
        probability = np.exp(power) if power > LOWEST_POWER else 0.0
        chains.worse[chain, 0] += 1.0
        chains.worse[chain, 1] += probability
        is_new = uniform(random) < probability
    # A changed sequence is evaluated and not played, wherever it is changed, and at the same cost for all kinds.
    effort = 1 if is_evaluated(position.state) else child.length[0] - how[0] + 1
    count_change(chains.shares, chain, kind, gain, effort)
    if is_evaluated(position.state):
        take_or_undo(games, child, work.where, chain, how, is_new)
        return
    if gain != 0.0:
        count_draws(chains.draws, chain, work.drawn, gain)
    if is_new:
        take_child(position, work, games, chain, how[0])


@jit
def rotate(games, number):
    """Pass each game of the first chains on to the next colder one, and the coldest one's to the hottest."""
    for chain in range(1, number):
        exchange_games(games, chain - 1, chain)


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
def exchange_games(games, one, other):
    """Exchange two games."""
    for step in range(max(games.length[one], games.length[other])):
        games.move[one, step], games.move[other, step] = games.move[other, step], games.move[one, step]
        games.name[one, step], games.name[other, step] = games.name[other, step], games.name[one, step]
    games.length[one], games.length[other] = games.length[other], games.length[one]
    games.score[one], games.score[other] = games.score[other], games.score[one]
