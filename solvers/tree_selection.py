"""Which move a walk down the tree makes at a node: one function for all selections, chosen at run time by number.

References
----------
P. Auer, N. Cesa-Bianchi and P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002: UCB1,
UCB1-tuned, decaying ε. L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006 (UCT).

M. Schadd et al., *Single-Player Monte-Carlo Tree Search*, CG 2008.

D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016 (PUCT).

T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015; *Monte Carlo Permutation Search*, 2025.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import internal
from nrpa.engine.playout import draw
from nrpa.engine.random import uniform
from nrpa.solvers.tree_amaf import START, place_of
from nrpa.solvers.tree_memory import (
    BEST,
    CLOSED,
    CODE,
    COUNT,
    FIRST,
    PERMUTED,
    PERMUTED_SUM,
    PRIOR,
    SQUARES,
    SUM,
    TRIED,
    VISITS,
)

UCB1, UCB1_TUNED, EPSILON_GREEDY, DECAYING_EPSILON, BOLTZMANN, SP_MCTS, PUCT, GRAVE, MCPS = range(9)
# So that the square of its inverse is finite.
LEAST_DIFFERENCE = 1e-150


class Formula(NamedTuple):
    """The numbers of a selection.

    - ``selection``: Which selection.
    - ``c``, ``d``, ``amaf_bias``, ``epsilon``, ``tau``: As the options of the solvers are called.
    - ``mix``: The share of the maximum in the worth of a move.
    - ``normalise``: Whether scores are taken between the extremes so far.
    """

    selection: int
    c: float
    d: float
    amaf_bias: float
    epsilon: float
    tau: float
    mix: float
    normalise: bool


@internal
def select(nodes, edges, amaf, extremes, formula, node, block, value, random):
    """Choose a move of a node among those that are not solved."""
    selection = formula.selection
    first, count, visits = nodes.whole[node, FIRST], nodes.whole[node, COUNT], nodes.whole[node, VISITS]
    low, scale = normalised(extremes, formula.normalise)
    if selection >= GRAVE:
        combined_values(edges, amaf, formula, first, count, block, low, scale, value)
    else:
        mean = nodes.number[node, 0] / visits
        bandit_values(edges, formula, first, count, visits, mean, low, scale, value)
    chosen = largest(value, count, random)
    if value[chosen] == np.inf or not EPSILON_GREEDY <= selection <= BOLTZMANN:
        return chosen
    if selection == BOLTZMANN:
        top = value[chosen]
        for m in range(count):
            value[m] = math.exp((value[m] - top) / formula.tau)
        return draw(value, count, random)
    epsilon = formula.epsilon
    if selection == DECAYING_EPSILON:
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


@internal
def bandit_values(edges, formula, first, count, visits, mean, low, scale, value):
    """Write the values of the selections that know only the visits and rewards of a node's moves.

    - ``value``, float64[max_moves]: Written: infinite for a move never tried, -infinite for one that is solved.

    Sums are of raw scores; the spread follows from Σ(x - low)² = Σx² - 2 low Σx + n low².
    """
    selection, c, mix = formula.selection, formula.c, formula.mix
    log_visits, root = math.log(visits), math.sqrt(visits)
    for m in range(count):
        edge = first + m
        n, total = edges.number[edge, TRIED], edges.number[edge, SUM]
        if edges.whole[edge, CLOSED]:
            value[m] = -np.inf
            continue
        worth = mean
        if n > 0.0:
            worth = total / n
            if mix != 0.0:
                worth = (1.0 - mix) * worth + mix * edges.number[edge, BEST]
        elif selection != PUCT:
            value[m] = np.inf
            continue
        worth = (worth - low) * scale
        if selection == UCB1:
            worth += c * math.sqrt(log_visits / n)
        elif selection == PUCT:
            worth += c * edges.number[edge, PRIOR] * root / (1.0 + n)
        elif selection in (UCB1_TUNED, SP_MCTS):
            average = (total / n - low) * scale
            squares = (edges.number[edge, SQUARES] - 2.0 * low * total + n * low * low) * (scale * scale)
            spread = squares - n * average * average
            if selection == UCB1_TUNED:
                bound = max(0.0, min(0.25, spread / n + math.sqrt(2.0 * log_visits / n)))
                worth += c * math.sqrt(log_visits / n * bound)
            else:
                worth += c * math.sqrt(log_visits / n) + math.sqrt(max(0.0, spread + formula.d) / n)
        value[m] = worth


@internal
def combined_values(edges, amaf, formula, first, count, block, low, scale, value):
    """Write the means of RAVE, GRAVE and MCPS: of a move, of its code behind the reference node, and of permutations.

    - ``value``, float64[max_moves]: Written: infinite for a move without any statistics, -infinite for one that is
      solved.

    GRAVE: (1 - β) Q + β Q̃ with β = ñ / (ñ + n + bias ñ n). MCPS: (c₁ n Q + ñ Q̃ + n̂ Q̂) / (c₁ n + ñ + n̂) with c₁ =
    (ñ + n̂) / ñ. Where ñ = 0, c₁ has no value: its limit leaves Q alone if n > 0, and else Q̂ alone.
    """
    permuted, mix = formula.selection == MCPS, formula.mix
    numbered = amaf.key.shape[0] == 1
    start = amaf.block[block, START] if block >= 0 else 0
    for m in range(count):
        edge = first + m
        if edges.whole[edge, CLOSED]:
            value[m] = -np.inf
            continue
        n, mean = edges.number[edge, TRIED], 0.0
        if n > 0.0:
            mean = edges.number[edge, SUM] / n
            if mix != 0.0:
                mean = (1.0 - mix) * mean + mix * edges.number[edge, BEST]
        n_amaf, sum_amaf = 0.0, 0.0
        code = edges.whole[edge, CODE]
        if block >= 0 and code >= 0:
            place = start + code if numbered else place_of(amaf, block, code)
            n_amaf, sum_amaf = amaf.cell[place, 0], amaf.cell[place, 1]
        n_permuted, sum_permuted = 0.0, 0.0
        if permuted:
            n_permuted, sum_permuted = edges.number[edge, PERMUTED], edges.number[edge, PERMUTED_SUM]
        if n + n_amaf + n_permuted == 0.0:
            value[m] = np.inf
            continue
        if n_amaf == 0.0:
            worth = mean if n > 0.0 else sum_permuted / n_permuted
        elif permuted:
            weight = (n_amaf + n_permuted) / n_amaf * n
            worth = (weight * mean + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted)
        else:
            beta = n_amaf / (n_amaf + n + formula.amaf_bias * n_amaf * n)
            worth = (1.0 - beta) * mean + beta * (sum_amaf / n_amaf)
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
