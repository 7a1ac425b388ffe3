"""Which move a walk down the tree makes: at a node by a formula, at the root also by Sequential Halving.

A formula is one function; which of them, is said by number. All of them are in the machine code of every tree search,
so that it is compiled once for each problem.

References
----------
Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013: Sequential Halving.

N. Fabiano and T. Cazenave, *Sequential Halving Using Scores*, ACG 2021: SHUSS.

D. Sagers, M. Winands and D. Soemers, *Anytime Sequential Halving in Monte-Carlo Tree Search*, arXiv 2411.07171, 2024.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.random import random_index, uniform
from nrpa.machine.jit import jit
from nrpa.solvers.tree.amaf import amaf_of
from nrpa.solvers.tree.memory import NONE

# In the order of ``nrpa.solvers.tree.options.SELECTIONS``. From BY_GRAVE on, not only the own visits of a move count.
BY_UCB1, BY_UCB1_TUNED, BY_THOMPSON, BY_EPSILON_GREEDY, BY_DECAYING_EPSILON = range(5)
BY_BOLTZMANN, BY_DECAYING_BOLTZMANN, BY_SP_MCTS, BY_PUCT, BY_GRAVE, BY_MCPS = range(5, 11)
# In the order of ``nrpa.solvers.tree.options.HALVINGS``.
NEVER, SEQUENTIAL, USING_SCORES, ANYTIME = range(4)
# So that the square of its inverse is finite.
LEAST_DIFFERENCE = 1e-150


class Selection(NamedTuple):
    """How a search chooses at its nodes, and which Sequential Halving there is at its root."""

    formula: int  # one of ``BY_...``
    halving: int  # NEVER, SEQUENTIAL, USING_SCORES or ANYTIME
    # The others are called as the options of the solvers; 0 where a solver has no such option.
    c: float
    d: float
    amaf_bias: float
    epsilon: float
    tau: float
    urgency: float
    mix: float
    minimax: float
    c_amaf: float
    budget: int
    normalise: bool
    grows: bool


@jit
def ucb1(mean, n, log_visits, c):
    """P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002.

    At the nodes of a tree: L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006 (UCT).
    """
    return mean + c * math.sqrt(log_visits / n)


@jit
def ucb1_tuned(mean, n, spread, log_visits, c):
    """Auer et al., 2002, section 4."""
    bound = max(0.0, min(0.25, spread / n + math.sqrt(2.0 * log_visits / n)))
    return mean + c * math.sqrt(log_visits / n * bound)


@jit
def thompson(mean, n, c, random):
    """S. Agrawal and N. Goyal, *Further Optimal Regret Bounds for Thompson Sampling*, 2013: draw of N(Q, C² / (n + 1)).

    G. Box and M. Muller, *A Note on the Generation of Random Normal Deviates*, 1958.
    """
    radius = math.sqrt(-2.0 * math.log(1.0 - uniform(random)))
    return mean + c * radius * math.cos(2.0 * math.pi * uniform(random)) / math.sqrt(n + 1.0)


@jit
def sp_mcts(mean, n, spread, log_visits, c, d):
    """M. Schadd et al., *Single-Player Monte-Carlo Tree Search*, CG 2008."""
    return mean + (c * math.sqrt(log_visits / n) + math.sqrt(max(0.0, spread + d) / n))


@jit
def puct(mean, n, prior, visits, c):
    """D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016."""
    return mean + c * prior * math.sqrt(visits) / (1.0 + n)


@jit
def grave(mean, n, n_amaf, sum_amaf, bias):
    """T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015: (1 - β) Q + β Q̃."""
    beta = n_amaf / (n_amaf + n + bias * n_amaf * n)
    return (1.0 - beta) * mean + beta * (sum_amaf / n_amaf)


@jit
def mcps(mean, n, n_amaf, sum_amaf, n_permuted, sum_permuted):
    """T. Cazenave, *Monte Carlo Permutation Search*, 2025: (c₁ n Q + ñ Q̃ + n̂ Q̂) / (c₁ n + ñ + n̂), c₁ = (ñ + n̂) / ñ."""
    weight = (n_amaf + n_permuted) / n_amaf * n
    return (weight * mean + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted)


@jit
def select(memory, selection, node, block, values):
    """Choose a move of a node among those that are not solved.

    - ``block``: The AMAF statistics of the reference node, or NONE.
    """
    by, count, visits, random = selection.formula, node["count"], node["visits"], memory.random
    if by >= BY_GRAVE:
        write_values_by_code(memory, selection, node, block, values)
    else:
        write_values_by_visits(memory, selection, node, values)
    chosen = largest(values, count, random)
    if values[chosen] == np.inf or not BY_EPSILON_GREEDY <= by <= BY_DECAYING_BOLTZMANN:
        return chosen
    if by >= BY_BOLTZMANN:
        top, tau = values[chosen], selection.tau
        if by == BY_DECAYING_BOLTZMANN:
            tau /= max(1.0, math.log(visits))
        for m in range(count):
            values[m] = math.exp((values[m] - top) / tau)
        return random_index(values, count, random)
    epsilon = selection.epsilon
    if by == BY_DECAYING_EPSILON:
        epsilon = min(1.0, epsilon * count / visits)
    if uniform(random) >= epsilon:
        return chosen
    return any_other(values, count, chosen, random)


@jit
def normalised(extremes, normalise):
    """Return the offset and the factor by which scores come to lie in [0, 1]; 0 and 1 where they are not normalised.

    While no two scores differ by more than LEAST_DIFFERENCE, the factor is 0.
    """
    if not normalise:
        return 0.0, 1.0
    low, high = extremes["low"], extremes["high"]
    return low, 1.0 / (high - low) if high - low > LEAST_DIFFERENCE else 0.0


@jit
def walks_under_way(flying, edge):
    """Return how many walks of other workers are under way behind an edge. Each counts as the lowest reward so far.

    G. Chaslot, M. Winands and J. van den Herik, *Parallel Monte-Carlo Tree Search*, CG 2008: virtual loss.
    """
    return flying[edge] if flying.shape[0] > 1 else 0


@jit
def mean_of(memory, selection, edge, n, lost, mover):
    """Return the worth of a move that was tried ``n`` times: its mean, mixed with other things.

    ``lost`` are the rewards of the walks under way. The other things are the best of its rewards, and the implicit
    minimax value of the node that it leads to: M. Lanctot et al., *Monte Carlo Tree Search with heuristic evaluations
    using implicit minimax backups*, CIG 2014.
    """
    mix, minimax, child = selection.mix, selection.minimax, edge["child"]
    mean = (edge["sum"] + lost) / n
    if mix != 0.0:
        mean = (1.0 - mix) * mean + mix * max(edge["best"], memory.extremes[0]["low"])
    if minimax != 0.0 and child >= 0:
        mean = (1.0 - minimax) * mean + minimax * memory.outcomes[child, mover]
    return mean


@jit
def write_values_by_visits(memory, selection, node, values):
    """Write the values of a node's moves by their own visits: inf for one never tried, -inf for one that is solved."""
    by, c, visits, lowest = selection.formula, selection.c, node["visits"], memory.extremes[0]["low"]
    low, scale = normalised(memory.extremes[0], selection.normalise)
    log_visits, unvisited = math.log(visits), node["sum"] / visits
    for m in range(node["count"]):
        edge = memory.edges[node["first"] + m]
        flown = walks_under_way(memory.flying, node["first"] + m)
        n, lost = edge["tried"] + flown, flown * lowest
        if edge["closed"]:
            values[m] = -np.inf
            continue
        if n == 0.0 and by != BY_PUCT:
            values[m] = selection.urgency
            continue
        worth = unvisited
        if n > 0.0:
            worth = mean_of(memory, selection, edge, n, lost, node["mover"])
        worth = (worth - low) * scale
        if by == BY_UCB1:
            worth = ucb1(worth, n, log_visits, c)
        elif by == BY_UCB1_TUNED:
            worth = ucb1_tuned(worth, n, spread_of(edge, n, lost, lowest, low, scale), log_visits, c)
        elif by == BY_THOMPSON:
            worth = thompson(worth, n, c, memory.random)
        elif by == BY_SP_MCTS:
            worth = sp_mcts(worth, n, spread_of(edge, n, lost, lowest, low, scale), log_visits, c, selection.d)
        elif by == BY_PUCT:
            worth = puct(worth, n, memory.priors[node["first"] + m], visits if selection.grows else 1, c)
        values[m] = worth


@jit
def spread_of(edge, n, lost, lowest, low, scale):
    """Return the sum of squared differences from the mean, which follows from Σ(x - low)² = Σx² - 2 low Σx + n low²."""
    total = edge["sum"] + lost
    average = (total / n - low) * scale
    squares = (edge["squares"] + lost * lowest - 2.0 * low * total + n * low * low) * (scale * scale)
    return squares - n * average * average


@jit
def write_values_by_code(memory, selection, node, block, values):
    """Write the values of a node's moves by their means, those of their codes, and permutations.

    They are inf for a move without any statistics, -inf for one that is solved. Where ñ = 0, c₁ has no value: its limit
    leaves Q alone if n > 0, and else Q̂ alone.
    """
    by_permutations, first, lowest = selection.formula == BY_MCPS, node["first"], memory.extremes[0]["low"]
    amaf, permuted = memory.amaf, memory.permuted
    low, scale = normalised(memory.extremes[0], selection.normalise)
    start = amaf.blocks[block]["first"] if block >= 0 and amaf.keys.shape[0] == 1 else NONE
    for m in range(node["count"]):
        edge = memory.edges[first + m]
        if edge["closed"]:
            values[m] = -np.inf
            continue
        flown = walks_under_way(memory.flying, first + m)
        n, mean = edge["tried"] + flown, 0.0
        if n > 0.0:
            mean = mean_of(memory, selection, edge, n, flown * lowest, node["mover"])
        n_amaf, sum_amaf = amaf_of(amaf, block, start, edge["code"])
        n_permuted, sum_permuted = 0.0, 0.0
        if by_permutations:
            n_permuted, sum_permuted = permuted[first + m]["tried"], permuted[first + m]["sum"]
        if n + n_amaf + n_permuted == 0.0:
            values[m] = np.inf
            continue
        if n_amaf == 0.0:
            worth = mean if n > 0.0 else sum_permuted / n_permuted
        elif by_permutations:
            worth = mcps(mean, n, n_amaf, sum_amaf, n_permuted, sum_permuted)
        else:
            worth = grave(mean, n, n_amaf, sum_amaf, selection.amaf_bias)
        values[m] = (worth - low) * scale


@jit
def largest(values, count, random):
    """Return the index of the largest of ``count`` values; where several are equal, one of them at random."""
    top = values[0]
    ties = 0
    first = 0
    for m in range(count):
        if values[m] > top:
            top = values[m]
            ties = 1
            first = m
        elif values[m] == top:
            if ties == 0:
                first = m
            ties += 1
    if ties <= 1:
        return first
    left = np.int64(min(uniform(random) * ties, ties - 1.0))
    for m in range(first, count):
        if values[m] == top:
            if left == 0:
                return m
            left -= 1
    return first


@jit
def any_other(values, count, chosen, random):
    """Return any index at random but ``chosen``, and but those of value -inf; ``chosen`` where there is no other."""
    others = -1
    for m in range(count):
        others += values[m] != -np.inf
    if others <= 0:
        return chosen
    left = np.int64(min(uniform(random) * others, others - 1.0))
    for m in range(count):
        if values[m] != -np.inf and m != chosen:
            if left == 0:
                return m
            left -= 1
    return chosen


@jit
def next_arm(memory, selection, node, values):
    """Return the move of the root that is to be tried next; moves that are solved are passed over."""
    halving = memory.halving[0]
    if not halving["begun"]:
        begin_pass(memory, selection, node)
    while True:
        end_halving_round(memory, selection, node, values)
        edge = memory.arms[halving["next"]]
        if not memory.edges[edge]["closed"]:
            return edge
        halving["next"] += 1
        halving["pulled"] = 0


@jit
def count_pull(memory, selection, node, values):
    """Count a playout of the move that ``next_arm`` gave."""
    halving = memory.halving[0]
    halving["pulled"] += 1
    if halving["pulled"] >= halving["pulls"]:
        halving["next"] += 1
        halving["pulled"] = 0
        end_halving_round(memory, selection, node, values)


@jit
def end_halving_round(memory, selection, node, values):
    """After the last move of a round keep the better half; after the last round begin a new pass."""
    halving = memory.halving[0]
    if halving["next"] < halving["alive"]:
        return
    if halving["alive"] > 1:
        keep_better_half(memory, selection, node, values)
    if halving["alive"] > 1:
        begin_round(halving, node["count"], selection)
        return
    halving["survivor"] = memory.arms[0]
    halving["passes"] += 1
    begin_pass(memory, selection, node)


@jit
def begin_pass(memory, selection, node):
    """Begin a pass with all moves of the root."""
    halving = memory.halving[0]
    for m in range(node["count"]):
        memory.arms[m] = node["first"] + m
    halving["alive"] = node["count"]
    halving["begun"] = 1
    begin_round(halving, node["count"], selection)


@jit
def begin_round(halving, moves, selection):
    """Begin a round: each move that is still in gets an equal share of a round's playouts, at least one."""
    rounds = 0
    while (1 << rounds) < moves:
        rounds += 1
    budget = moves * rounds if selection.halving == ANYTIME else selection.budget
    halving["next"] = 0
    halving["pulled"] = 0
    halving["pulls"] = max(1, budget // (halving["alive"] * max(1, rounds)))


@jit
def keep_better_half(memory, selection, node, values):
    """Sort the moves that are in by their worth, the best first, equal ones as they were, and keep the first half.

    The worth is the mean of a move; with SHUSS plus c · AMAF / visits; of a solved move its own value.
    """
    halving, arms = memory.halving[0], memory.arms
    low, scale = normalised(memory.extremes[0], selection.normalise)
    for i in range(halving["alive"]):
        edge = memory.edges[arms[i]]
        n = edge["tried"]
        worth = -np.inf
        if edge["closed"]:
            worth = (memory.outcomes[edge["child"], node["mover"]] - low) * scale
        elif n > 0.0:
            worth = (edge["sum"] / n - low) * scale
            n_amaf, total = amaf_of(memory.amaf, node["block"], NONE, edge["code"])
            if n_amaf > 0.0:
                worth += selection.c_amaf * (total / n_amaf - low) * scale / n
        arm, k = arms[i], i
        while k > 0 and values[k - 1] < worth:
            arms[k] = arms[k - 1]
            values[k] = values[k - 1]
            k -= 1
        arms[k] = arm
        values[k] = worth
    halving["alive"] = (halving["alive"] + 1) // 2
