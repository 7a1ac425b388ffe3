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
from nrpa.machine.jit import inlined, internal
from nrpa.solvers.tree import memory as at
from nrpa.solvers.tree.amaf import amaf_of

# In the order of ``nrpa.solvers.tree.options.SELECTIONS``. From BY_GRAVE on, not only the own visits of a move count.
BY_UCB1, BY_UCB1_TUNED, BY_EPSILON_GREEDY, BY_DECAYING_EPSILON, BY_BOLTZMANN = range(5)
BY_SP_MCTS, BY_PUCT, BY_GRAVE, BY_MCPS = range(5, 9)
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
    mix: float
    minimax: float
    c_amaf: float
    budget: int
    normalise: bool


@inlined
def ucb1(mean, n, log_visits, c):
    """P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002.

    At the nodes of a tree: L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006 (UCT).
    """
    return mean + c * math.sqrt(log_visits / n)


@inlined
def ucb1_tuned(mean, n, spread, log_visits, c):
    """Auer et al., 2002, section 4."""
    bound = max(0.0, min(0.25, spread / n + math.sqrt(2.0 * log_visits / n)))
    return mean + c * math.sqrt(log_visits / n * bound)


@inlined
def sp_mcts(mean, n, spread, log_visits, c, d):
    """M. Schadd et al., *Single-Player Monte-Carlo Tree Search*, CG 2008."""
    return mean + (c * math.sqrt(log_visits / n) + math.sqrt(max(0.0, spread + d) / n))


@inlined
def puct(mean, n, prior, visits, c):
    """D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016."""
    return mean + c * prior * math.sqrt(visits) / (1.0 + n)


@inlined
def grave(mean, n, n_amaf, sum_amaf, bias):
    """T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015: (1 - β) Q + β Q̃."""
    beta = n_amaf / (n_amaf + n + bias * n_amaf * n)
    return (1.0 - beta) * mean + beta * (sum_amaf / n_amaf)


@inlined
def mcps(mean, n, n_amaf, sum_amaf, n_permuted, sum_permuted):
    """T. Cazenave, *Monte Carlo Permutation Search*, 2025: (c₁ n Q + ñ Q̃ + n̂ Q̂) / (c₁ n + ñ + n̂), c₁ = (ñ + n̂) / ñ."""
    weight = (n_amaf + n_permuted) / n_amaf * n
    return (weight * mean + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted)


@internal
def select(node, total, numbers, edges, amaf, extremes, selection, block, value, random):
    """Choose a move of a node among those that are not solved.

    - ``total``: The sum of the rewards at the node.
    - ``block``: The AMAF statistics of the reference node, or NONE.
    """
    by, count, visits = selection.formula, node[at.COUNT], node[at.VISITS]
    low, scale = normalised(extremes, selection.normalise)
    if by >= BY_GRAVE:
        write_values_by_code(node, numbers, edges, amaf, selection, block, low, scale, value)
    else:
        write_values_by_visits(node, total / visits, numbers, edges, selection, low, scale, value)
    chosen = largest(value, count, random)
    if value[chosen] == np.inf or not BY_EPSILON_GREEDY <= by <= BY_BOLTZMANN:
        return chosen
    if by == BY_BOLTZMANN:
        top = value[chosen]
        for m in range(count):
            value[m] = math.exp((value[m] - top) / selection.tau)
        return random_index(value, count, random)
    epsilon = selection.epsilon
    if by == BY_DECAYING_EPSILON:
        epsilon = min(1.0, epsilon * count / visits)
    if uniform(random) >= epsilon:
        return chosen
    return any_other(value, count, chosen, random)


@internal
def normalised(extremes, normalise):
    """Return what is taken off a score, and the factor after that, so that it lies in [0, 1]: 0 and 1 without.

    While no two scores differ by more than LEAST_DIFFERENCE, the factor is 0.
    """
    if not normalise:
        return 0.0, 1.0
    low, high = extremes[0], extremes[1]
    return low, 1.0 / (high - low) if high - low > LEAST_DIFFERENCE else 0.0


@inlined
def mean_of(numbers, edges, edge, n, selection, mover):
    """Return the worth of a move that was tried ``n`` times: its mean, mixed with other things.

    These are the best of its rewards, and the implicit minimax value of the node that it leads to: M. Lanctot et al.,
    *Monte Carlo Tree Search with heuristic evaluations using implicit minimax backups*, CIG 2014.
    """
    mix, minimax, child = selection.mix, selection.minimax, edges.whole[edge, at.CHILD]
    mean = edges.number[edge, at.SUM] / n
    if mix != 0.0:
        mean = (1.0 - mix) * mean + mix * edges.number[edge, at.BEST]
    if minimax != 0.0 and child >= 0:
        mean = (1.0 - minimax) * mean + minimax * numbers[child, 1 + mover]
    return mean


@internal
def write_values_by_visits(node, unvisited, numbers, edges, selection, low, scale, value):
    """Write the values of a node's moves by their own visits: inf for one never tried, -inf for one that is solved."""
    by, c, log_visits = selection.formula, selection.c, math.log(node[at.VISITS])
    for m in range(node[at.COUNT]):
        edge = node[at.FIRST] + m
        n = edges.number[edge, at.TRIED]
        if edges.whole[edge, at.CLOSED]:
            value[m] = -np.inf
            continue
        if n == 0.0 and by != BY_PUCT:
            value[m] = np.inf
            continue
        worth = unvisited
        if n > 0.0:
            worth = mean_of(numbers, edges, edge, n, selection, node[at.MOVER])
        worth = (worth - low) * scale
        if by == BY_UCB1:
            worth = ucb1(worth, n, log_visits, c)
        elif by == BY_UCB1_TUNED:
            worth = ucb1_tuned(worth, n, spread_of(edges, edge, n, low, scale), log_visits, c)
        elif by == BY_SP_MCTS:
            worth = sp_mcts(worth, n, spread_of(edges, edge, n, low, scale), log_visits, c, selection.d)
        elif by == BY_PUCT:
            worth = puct(worth, n, edges.number[edge, at.PRIOR], node[at.VISITS], c)
        value[m] = worth


@inlined
def spread_of(edges, edge, n, low, scale):
    """Return the sum of squared differences from the mean, which follows from Σ(x - low)² = Σx² - 2 low Σx + n low²."""
    total = edges.number[edge, at.SUM]
    average = (total / n - low) * scale
    squares = (edges.number[edge, at.SQUARES] - 2.0 * low * total + n * low * low) * (scale * scale)
    return squares - n * average * average


@internal
def write_values_by_code(node, numbers, edges, amaf, selection, block, low, scale, value):
    """Write the values of a node's moves by their means, those of their codes, and permutations.

    They are inf for a move without any statistics, -inf for one that is solved. Where ñ = 0, c₁ has no value: its limit
    leaves Q alone if n > 0, and else Q̂ alone.
    """
    permuted, first = selection.formula == BY_MCPS, node[at.FIRST]
    start = amaf.block[block, at.FIRST_CELL] if block >= 0 and amaf.key.shape[0] == 1 else at.NONE
    for m in range(node[at.COUNT]):
        edge = first + m
        if edges.whole[edge, at.CLOSED]:
            value[m] = -np.inf
            continue
        n, mean = edges.number[edge, at.TRIED], 0.0
        if n > 0.0:
            mean = mean_of(numbers, edges, edge, n, selection, node[at.MOVER])
        n_amaf, sum_amaf = amaf_of(amaf, block, start, edges.whole[edge, at.CODE])
        n_permuted, sum_permuted = 0.0, 0.0
        if permuted:
            n_permuted, sum_permuted = edges.number[edge, at.PERMUTED], edges.number[edge, at.PERMUTED_SUM]
        if n + n_amaf + n_permuted == 0.0:
            value[m] = np.inf
            continue
        if n_amaf == 0.0:
            worth = mean if n > 0.0 else sum_permuted / n_permuted
        elif permuted:
            worth = mcps(mean, n, n_amaf, sum_amaf, n_permuted, sum_permuted)
        else:
            worth = grave(mean, n, n_amaf, sum_amaf, selection.amaf_bias)
        value[m] = (worth - low) * scale


@internal
def largest(value, count, random):
    """Return the index of the largest of ``count`` values; where several are equal, one of them at random."""
    top = value[0]
    ties = 0
    first = 0
    for m in range(count):
        if value[m] > top:
            top = value[m]
            ties = 1
            first = m
        elif value[m] == top:
            if ties == 0:
                first = m
            ties += 1
    if ties <= 1:
        return first
    left = np.int64(min(uniform(random) * ties, ties - 1.0))
    for m in range(first, count):
        if value[m] == top:
            if left == 0:
                return m
            left -= 1
    return first


@internal
def any_other(value, count, chosen, random):
    """Return any index at random but ``chosen``, and but those of value -inf; ``chosen`` where there is no other."""
    others = -1
    for m in range(count):
        others += value[m] != -np.inf
    if others <= 0:
        return chosen
    left = np.int64(min(uniform(random) * others, others - 1.0))
    for m in range(count):
        if value[m] != -np.inf and m != chosen:
            if left == 0:
                return m
            left -= 1
    return chosen


@internal
def next_arm(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Return the move of the root that is to be tried next; moves that are solved are passed over."""
    if not halving[at.BEGUN]:
        begin_pass(halving, nodes.whole[node, at.FIRST], nodes.whole[node, at.COUNT], selection)
    while True:
        end_round(halving, nodes, edges, amaf, extremes, selection, node, value)
        edge = halving[at.ARM + halving[at.NEXT]]
        if not edges.whole[edge, at.CLOSED]:
            return edge
        halving[at.NEXT] += 1
        halving[at.PULLED] = 0


@internal
def count_pull(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Count a playout of the move that ``next_arm`` gave; its parameters are the same."""
    halving[at.PULLED] += 1
    if halving[at.PULLED] >= halving[at.PULLS]:
        halving[at.NEXT] += 1
        halving[at.PULLED] = 0
        end_round(halving, nodes, edges, amaf, extremes, selection, node, value)


@internal
def end_round(halving, nodes, edges, amaf, extremes, selection, node, value):
    """After the last move of a round keep the better half; after the last round begin a new pass."""
    if halving[at.NEXT] < halving[at.ALIVE]:
        return
    first, moves = nodes.whole[node, at.FIRST], nodes.whole[node, at.COUNT]
    if halving[at.ALIVE] > 1:
        keep_better_half(halving, nodes, edges, amaf, extremes, selection, node, value)
    if halving[at.ALIVE] > 1:
        begin_round(halving, moves, selection)
        return
    halving[at.SURVIVOR] = halving[at.ARM]
    halving[at.PASSES] += 1
    begin_pass(halving, first, moves, selection)


@internal
def begin_pass(halving, first, moves, selection):
    """Begin a pass with all moves of the root, the edges from ``first`` on."""
    for m in range(moves):
        halving[at.ARM + m] = first + m
    halving[at.ALIVE] = moves
    halving[at.BEGUN] = 1
    begin_round(halving, moves, selection)


@internal
def begin_round(halving, moves, selection):
    """Begin a round: each move that is still in gets an equal share of a round's playouts, at least one."""
    rounds = 0
    while (1 << rounds) < moves:
        rounds += 1
    budget = moves * rounds if selection.halving == ANYTIME else selection.budget
    halving[at.NEXT] = 0
    halving[at.PULLED] = 0
    halving[at.PULLS] = max(1, budget // (halving[at.ALIVE] * max(1, rounds)))


@internal
def keep_better_half(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Sort the moves that are in by their worth, the best first, equal ones as they were, and keep the first half.

    The worth is the mean of a move; with SHUSS plus c · AMAF / visits; of a solved move its own value.
    """
    alive, mover, block = halving[at.ALIVE], nodes.whole[node, at.MOVER], nodes.whole[node, at.BLOCK]
    low, scale = normalised(extremes, selection.normalise)
    for i in range(alive):
        edge = halving[at.ARM + i]
        n = edges.number[edge, at.TRIED]
        worth = -np.inf
        if edges.whole[edge, at.CLOSED]:
            worth = (nodes.number[edges.whole[edge, at.CHILD], 1 + mover] - low) * scale
        elif n > 0.0:
            worth = (edges.number[edge, at.SUM] / n - low) * scale
            n_amaf, total = amaf_of(amaf, block, at.NONE, edges.whole[edge, at.CODE])
            if n_amaf > 0.0:
                worth += selection.c_amaf * (total / n_amaf - low) * scale / n
        k = i
        while k > 0 and value[k - 1] < worth:
            halving[at.ARM + k] = halving[at.ARM + k - 1]
            value[k] = value[k - 1]
            k -= 1
        halving[at.ARM + k] = edge
        value[k] = worth
    halving[at.ALIVE] = (alive + 1) // 2
