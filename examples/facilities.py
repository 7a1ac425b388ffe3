"""Capacitated facility location around somebody else's solver: SciPy's linear programming (HiGHS) scores a choice.

The search decides which sites to open, one after the other; how the customers are then served best is a transportation
problem that ``scipy.optimize.linprog`` solves. Choices that have been scored are remembered.
"""

from functools import cache

import numpy as np
from scipy.optimize import linprog

import nrpa


class Facilities(nrpa.Problem):
    """opening[site], capacity[site], demand[customer], transport[site, customer] per unit; the least total cost."""

    objective = nrpa.Objective("cost", sign=-1, digits=2)

    def __init__(self, opening, capacity, demand, transport):
        self.opening, self.capacity, self.demand = map(np.asarray, (opening, capacity, demand))
        self.transport = np.asarray(transport, float)
        self.cost = cache(self._cost)

    def initial_state(self):
        return ()  # for each site decided so far, whether it is open

    def legal_moves(self, state):
        return [] if len(state) == len(self.opening) else [False, True]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -self.cost(state)

    def code(self, state, move):
        return (len(state), move)

    def bias(self, state, move):
        """Cheap sites that can serve much are opened rather."""
        worth = self.capacity[len(state)] * self.transport.mean() - self.opening[len(state)]
        return float(np.tanh(worth / self.opening.mean())) * (1 if move else -1)

    def describe(self, state):
        return {"open": [site for site, is_open in enumerate(state) if is_open]}

    def _cost(self, state):
        is_open = np.array(state)
        if (self.capacity * is_open).sum() < self.demand.sum():
            return 1e9
        sites, customers = self.transport.shape
        supply = np.kron(np.eye(sites), np.ones(customers))
        serve = np.kron(np.ones(sites), np.eye(customers))
        plan = linprog(self.transport.ravel(), supply, self.capacity * is_open, serve, self.demand)
        return float(plan.fun + self.opening @ is_open)
