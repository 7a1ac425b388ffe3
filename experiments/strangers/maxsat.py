"""MaxSAT, compiled: 800 random clauses of three of 80 variables.

The best number of clauses is that of the annealing below with 10 seconds.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from annealing import annealed_in_place

import nrpa
from nrpa import kernels

BEST = {"80": 772}


class Instance(NamedTuple):
    clauses: np.ndarray  # of each clause three literals: 2 · variable, and 1 more where it is not negated


def reset(instance, state):
    state.values[:] = 0
    state.count[0] = 0


def legal_moves(instance, state, moves):
    variable = state.count[0]
    if variable == len(state.values):
        return 0
    for value in range(2):
        moves.move[value] = value
        moves.code[value] = 2 * variable + value
    return 2


def play(instance, state, move):
    state.values[state.count[0]] = move
    state.count[0] += 1


def score(instance, state):
    satisfied = 0
    for clause in range(len(instance.clauses)):
        for k in range(3):
            literal = instance.clauses[clause, k]
            if state.values[literal // 2] == literal % 2:
                satisfied += 1
                break
    return satisfied


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    values: np.ndarray
    count: np.ndarray


class MaxSAT(nrpa.CompiledProblem):
    """Values of the variables that satisfy as many clauses as can be."""

    objective = nrpa.Objective("clauses", sign=1)

    def __init__(self, variables):
        draw = np.random.default_rng(1)
        chosen = np.array([draw.choice(variables, 3, replace=False) for _ in range(10 * variables)])
        clauses = 2 * chosen + draw.integers(0, 2, chosen.shape)
        self.variables = variables
        super().__init__(Instance(clauses), max_steps=variables, max_moves=2, codes=2 * variables)

    def new_state(self):
        return State(np.zeros(self.variables, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        if len(solution) != self.variables or not set(solution) <= {0, 1}:
            return nrpa.Verdict({}, ["expected 0 or 1 for each variable"])
        satisfied = sum(
            any(solution[one // 2] == one % 2 for one in clause) for clause in self.instance.clauses.tolist()
        )
        return nrpa.Verdict({"clauses": satisfied}, score=satisfied)


def function(problem, data):
    """The clauses that are satisfied where the variables taken are true."""
    clauses = data(problem.instance.clauses)

    def cost(taken):
        satisfied = 0
        for a, b, c in clauses:
            satisfied += taken[a // 2] == a % 2 or taken[b // 2] == b % 2 or taken[c // 2] == c % 2
        return satisfied

    return nrpa.subset, problem.variables, cost


@numba.njit(cache=True)
def anneal(clauses, where, values, temperature, tries):
    """Flip random variables, and return how many clauses are satisfied; ``where`` are the clauses of each literal."""
    true = np.zeros(len(clauses), np.int64)
    for clause in range(len(clauses)):
        for literal in clauses[clause]:
            true[clause] += values[literal // 2] == literal % 2
    for _ in range(tries):
        variable = np.random.randint(0, len(values))
        gained, lost = where[2 * variable + 1 - values[variable]], where[2 * variable + values[variable]]
        gain = 0
        for clause in gained:
            gain += clause >= 0 and true[clause] == 0
        for clause in lost:
            gain -= clause >= 0 and true[clause] == 1
        if gain >= 0 or np.random.random() < np.exp(gain / temperature):
            values[variable] = 1 - values[variable]
            for clause in gained:
                if clause >= 0:
                    true[clause] += 1
            for clause in lost:
                if clause >= 0:
                    true[clause] -= 1
    return (true > 0).sum()


def baseline(problem, seconds, seed):
    """Simulated annealing (Spears 1993), a variable at a time: the clauses, and the values."""
    clauses = problem.instance.clauses
    where = np.full((2 * problem.variables, np.bincount(clauses.ravel()).max()), -1)
    for literal in range(len(where)):
        of_literal = np.flatnonzero((clauses == literal).any(axis=1))
        where[literal, : len(of_literal)] = of_literal
    values = np.random.default_rng(seed).integers(0, 2, problem.variables)
    return annealed_in_place(partial(anneal, clauses, where), values, seconds, seed, 2, 0.1, 1)
