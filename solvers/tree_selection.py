"""Which move a walk down the tree makes at a node: one function for all selections, chosen at run time by number.

References
----------
P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002 (UCB1, UCB1-tuned,
decaying ε). L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006 (UCT).

M. Schadd et al., *Single-Player Monte-Carlo Tree Search*, CG 2008.

D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016 (PUCT).

T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015; *Monte Carlo Permutation Search*, 2025.
"""

from __future__ import annotations

import math

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.playout import draw
from nrpa.engine.random import uniform
from nrpa.solvers.tree_amaf import place_of
from nrpa.solvers.tree_memory import COUNT, FIRST, VISITS

UCB1, UCB1_TUNED, EPSILON_GREEDY, DECAYING_EPSILON, BOLTZMANN, SP_MCTS, PUCT, GRAVE, MCPS = range(9)


@jit
def select(memory, settings, work, node, block):
    """Choose a move of a node among those that are not solved.

    Parameters
    ----------
    memory : Memory
        The search; its random numbers change where there is something to draw.
    settings : Settings
        The options.
    work : Work
        The work areas; ``value`` changes.
    node : int
        The node; at least one of its moves is not solved.
    block : int
        The AMAF statistics of the reference node; NONE in selections without.

    Returns
    -------
    int
        The move, counted from the first of the node. Ties are broken at random, by one random number; a move never
        tried and without any statistics comes first.
    """
    selection = settings.selection
    if selection >= GRAVE:
        combined_values(memory, settings, work, node, block)
    elif selection == PUCT:
        puct_values(memory, settings, work, node)
    else:
        bandit_values(memory, settings, work, node)
    count = memory.nodes.whole[node, COUNT]
    chosen = largest(work.value, count, memory.random)
    if work.value[chosen] == np.inf or not EPSILON_GREEDY <= selection <= BOLTZMANN:
        return chosen
    if selection == BOLTZMANN:
        top = work.value[chosen]
        for m in range(count):
            work.value[m] = math.exp((work.value[m] - top) / settings.tau)
        return draw(work.value, count, memory.random)
    epsilon = settings.epsilon
    if selection == DECAYING_EPSILON:
        epsilon = min(1.0, epsilon * count / memory.nodes.whole[node, VISITS])
    if uniform(memory.random) >= epsilon:
        return chosen
    return any_other(work.value, count, chosen, memory.random)


@jit
def normalised(memory, settings):
    """Return what is taken off a score, and the factor after that, so that it lies in [0, 1].

    Parameters
    ----------
    memory : Memory
        The search, with the lowest and the highest score so far.
    settings : Settings
        The options.

    Returns
    -------
    low, scale : float
        0 and 1 where scores are taken as they are. While all scores have been equal, ``scale`` is 0.
    """
    if not settings.normalise:
        return 0.0, 1.0
    low, high = memory.extremes[0], memory.extremes[1]
    return low, 1.0 / (high - low) if high > low else 0.0


@jit
def mean_of(edges, edge, mix):
    """Return the value of a move that has been tried: the mean of its rewards, mixed with their maximum."""
    mean = edges.stat[edge, 1] / edges.stat[edge, 0]
    return mean if mix == 0.0 else (1.0 - mix) * mean + mix * edges.more[edge, 1]


@jit
def bandit_values(memory, settings, work, node):
    """Write the values of the selections that know only the visits and rewards of a node's moves."""
    edges = memory.edges
    first, count = memory.nodes.whole[node, FIRST], memory.nodes.whole[node, COUNT]
    low, scale = normalised(memory, settings)
    log_visits = math.log(memory.nodes.whole[node, VISITS])
    selection, c, mix = settings.selection, settings.c, settings.mix
    for m in range(count):
        edge = first + m
        n = edges.stat[edge, 0]
        if edges.closed[edge]:
            work.value[m] = -np.inf
        elif n == 0.0:
            work.value[m] = np.inf
        else:
            value = (mean_of(edges, edge, mix) - low) * scale
            if selection == UCB1:
                value += c * math.sqrt(log_visits / n)
            elif selection in (UCB1_TUNED, SP_MCTS):
                mean = (edges.stat[edge, 1] / n - low) * scale
                squares = squared(edges, edge, n, low, scale)
                if selection == UCB1_TUNED:
                    variance = squares / n - mean * mean + math.sqrt(2.0 * log_visits / n)
                    value += c * math.sqrt(log_visits / n * max(0.0, min(0.25, variance)))
                else:
                    spread = squares - n * mean * mean + settings.d
                    value += c * math.sqrt(log_visits / n) + math.sqrt(max(0.0, spread) / n)
            work.value[m] = value


@jit
def squared(edges, edge, n, low, scale):
    """Return the sum of the squares of the normalised rewards of a move, from the raw sums."""
    return (edges.more[edge, 0] - 2.0 * low * edges.stat[edge, 1] + n * low * low) * (scale * scale)


@jit
def puct_values(memory, settings, work, node):
    """Write Q(s, a) + c P(s, a) √N(s) / (1 + N(s, a)); Q of a move never tried is the mean of the node."""
    edges, nodes = memory.edges, memory.nodes
    first, count = nodes.whole[node, FIRST], nodes.whole[node, COUNT]
    low, scale = normalised(memory, settings)
    visits = nodes.whole[node, VISITS]
    mean = nodes.number[node, 0] / visits
    root = settings.c * math.sqrt(visits)
    for m in range(count):
        edge = first + m
        if edges.closed[edge]:
            work.value[m] = -np.inf
            continue
        n = edges.stat[edge, 0]
        value = mean_of(edges, edge, settings.mix) if n > 0.0 else mean
        work.value[m] = (value - low) * scale + root * edges.prior[edge] / (1.0 + n)


@jit
def combined_values(memory, settings, work, node, block):
    """Write the means of RAVE, GRAVE and MCPS: of a move, of its code behind the reference node, and of permutations.

    Parameters
    ----------
    memory : Memory
        The search.
    settings : Settings
        The options.
    work : Work
        The work areas; ``value`` changes.
    node : int
        The node.
    block : int
        The AMAF statistics of the reference node, NONE if it has none.

    Notes
    -----
    GRAVE: (1 - β) Q + β Q̃ with β = ñ / (ñ + n + bias ñ n). MCPS: (c₁ n Q + ñ Q̃ + n̂ Q̂) / (c₁ n + ñ + n̂) with c₁ =
    (ñ + n̂) / ñ. Where ñ = 0, c₁ has no value: its limit leaves Q alone if n > 0, and else Q̂ alone.
    """
    edges, amaf = memory.edges, memory.amaf
    first, count = memory.nodes.whole[node, FIRST], memory.nodes.whole[node, COUNT]
    low, scale = normalised(memory, settings)
    permuted = settings.selection == MCPS
    for m in range(count):
        edge = first + m
        if edges.closed[edge]:
            work.value[m] = -np.inf
            continue
        n = edges.stat[edge, 0]
        mean = mean_of(edges, edge, settings.mix) if n > 0.0 else 0.0
        n_amaf, sum_amaf = 0.0, 0.0
        code = np.int64(edges.code[edge])
        if block >= 0 and code >= 0:
            place = place_of(amaf, settings.numbers, block, code)
            n_amaf, sum_amaf = amaf.cell[place, 0], amaf.cell[place, 1]
        if not permuted:
            if n + n_amaf == 0.0:
                work.value[m] = np.inf
                continue
            beta = n_amaf / (n_amaf + n + settings.amaf_bias * n_amaf * n)
            value = (1.0 - beta) * mean
            if n_amaf > 0.0:
                value += beta * (sum_amaf / n_amaf)
        else:
            n_permuted, sum_permuted = edges.permuted[edge, 0], edges.permuted[edge, 1]
            if n_amaf > 0.0:
                weight = (n_amaf + n_permuted) / n_amaf * n
                value = (weight * mean + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted)
            elif n > 0.0:
                value = mean
            elif n_permuted > 0.0:
                value = sum_permuted / n_permuted
            else:
                work.value[m] = np.inf
                continue
        work.value[m] = (value - low) * scale


@jit
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
    left = min(np.int64(uniform(random) * ties), ties - 1)
    for m in range(first, count):
        if value[m] == top:
            if left == 0:
                return m
            left -= 1
    return first


@jit
def any_other(value, count, chosen, random):
    """Return any index at random but ``chosen``, and but those of value -inf; ``chosen`` where there is no other."""
    others = -1
    for m in range(count):
        others += value[m] != -np.inf
    if others <= 0:
        return chosen
    left = min(np.int64(uniform(random) * others), others - 1)
    for m in range(count):
        if value[m] != -np.inf and m != chosen:
            if left == 0:
                return m
            left -= 1
    return chosen
