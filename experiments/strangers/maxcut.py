"""Max-cut, compiled: a random graph of 100 nodes, each edge there with probability 0.1.

The best cut is the one at which the annealing below ends with each seed tried, in a second.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"100": 350}


class Instance(NamedTuple):
    edges: np.ndarray  # 0 or 1 for each two nodes


def reset(instance, state):
    state.side[:] = 0
    state.counts[:] = 0  # nodes placed, edges cut


def legal_moves(instance, state, moves):
    node = state.counts[0]
    if node == len(state.side):
        return 0
    for side in range(2):
        moves.move[side] = side
        moves.code[side] = 2 * node + side
    return 2


def play(instance, state, move):
    node = state.counts[0]
    state.side[node] = move
    for other in range(node):
        if state.side[other] != move:
            state.counts[1] += instance.edges[node, other]
    state.counts[0] += 1


def score(instance, state):
    return state.counts[1]


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    side: np.ndarray
    counts: np.ndarray


class MaxCut(nrpa.CompiledProblem):
    """Two sides for the nodes, with as many edges between them as can be."""

    objective = nrpa.Objective("edges", sign=1)

    def __init__(self, nodes):
        upper = np.triu(np.random.default_rng(1).random((nodes, nodes)) < 0.1, 1)
        super().__init__(Instance((upper | upper.T).astype(np.int64)), max_steps=nodes, max_moves=2, codes=2 * nodes)

    def new_state(self):
        return State(np.zeros(len(self.instance.edges), np.int64), np.zeros(2, np.int64))

    def check(self, solution):
        if len(solution) != len(self.instance.edges) or not set(solution) <= {0, 1}:
            return nrpa.Verdict({}, ["expected 0 or 1 for each node"])
        pairs = np.argwhere(np.triu(self.instance.edges)).tolist()
        cut = sum(solution[a] != solution[b] for a, b in pairs)
        return nrpa.Verdict({"edges": cut}, score=cut)


def function(problem, data):
    """The edges between the nodes taken and those left."""
    pairs = data(np.argwhere(np.triu(problem.instance.edges)))

    def cost(taken):
        cut = 0
        for a, b in pairs:
            cut += taken[a] != taken[b]
        return cut

    return nrpa.subset, len(problem.instance.edges), cost


@numba.njit(cache=True)
def anneal(edges, side, temperature, tries):
    """Move random nodes to the other side, and return how many edges are cut."""
    for _ in range(tries):
        node = np.random.randint(0, len(side))
        gain = 0
        for other in range(len(side)):
            if edges[node, other]:
                gain += 1 if side[other] == side[node] else -1
        if gain >= 0 or np.random.random() < np.exp(gain / temperature):
            side[node] = 1 - side[node]
    cut = 0
    for node in range(len(side)):
        for other in range(node):
            if side[node] != side[other]:
                cut += edges[node, other]
    return cut


def baseline(problem, seconds, seed):
    """Simulated annealing, a node at a time: the edges cut, and the sides."""
    edges = problem.instance.edges
    side = np.random.default_rng(seed).integers(0, 2, len(edges))
    return annealed_in_place(partial(anneal, edges), side, seconds, seed, 3, 0.05, 1)
