"""The smallest instance of every bundled problem for one player, and problems of users."""

from importlib import import_module

import numpy as np
from bundled_problems import ONE_PLAYER
from user_problems import EXAMPLES, Bits

from nrpa.io.source import bundled
from nrpa.registry import problem_class, solver_class, solvers

ITEMS = str(EXAMPLES / "knapsack.txt")


def facilities():
    rng = np.random.default_rng(1)
    arrays = rng.integers(50, 100, 6), rng.integers(20, 40, 6), rng.integers(5, 10, 8), rng.random((6, 8)) * 10
    return import_module("facilities").Facilities(*arrays)


OF_USERS = {
    "knapsack": lambda: import_module("knapsack").Knapsack.load(ITEMS),
    "knapsack-compiled": lambda: import_module("knapsack_compiled").CompiledKnapsack.load(ITEMS),
    "users-snake": lambda: import_module("snake").Snake.load("5"),
    "facilities": facilities,
    "bits": Bits,
}
SMALL = [*ONE_PLAYER, *OF_USERS]
LEVELS = {name: {"level": 2, "iterations": 5} for name in ("gnrpa", "nrpa", "pareto")} | {"nmcs": {"level": 2}}


def made(name):
    """Return a problem, made anew."""
    if name in OF_USERS:
        return OF_USERS[name]()
    return problem_class(name).load(min(bundled(name).values(), key=lambda row: row.size).name)


# Tree searches that differ from others by their selection: each takes seconds to compile, so two problems have them.
OF_TWO = ("sp-mcts", "puct", "rave", "grave", "sequential-halving", "shuss", "anytime-halving")


def solvers_of(problem):
    """Return a search by each bundled solver that a problem can have: pareto needs several goals."""
    names = [name for name in solvers.bundled if problem.goals or name != "pareto"]
    names = [name for name in names if name not in OF_TWO or problem.name in ("samegame", "Bits")]
    return [solver_class(name)(**LEVELS.get(name, {})) for name in names]
