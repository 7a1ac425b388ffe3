"""The smallest instance of every bundled problem for one player, and problems of users."""

from importlib import import_module

import numpy as np
from bundled_problems import ONE_PLAYER
from user_problems import EXAMPLES, Bits

from nrpa.io.source import bundled
from nrpa.registry import problem_class, solver_class, solvers
from nrpa.solvers.tree.options import TreeSearchOptions

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
OF_USERS_IN_PYTHON = ("knapsack", "facilities", "bits")
SMALL = [*ONE_PLAYER, *OF_USERS]
LEVELS = {name: {"level": 2, "iterations": 5} for name in ("gnrpa", "nrpa", "pareto")} | {"nmcs": {"level": 2}}


def made(name):
    """Return a problem, made anew."""
    if name in OF_USERS:
        return OF_USERS[name]()
    return problem_class(name).load(min(bundled(name).values(), key=lambda row: row.size).name)


# All that a tree search knows of a problem is its class of states, for which it is compiled: codes by number, hashed
# codes, plain Python. Those that differ from others by their selection only are for two of the three.
WITH_TREES = ("tsptw", "samegame", *OF_USERS_IN_PYTHON)
WITH_EVERY_TREE = ("samegame", "bits")
MAIN_TREES = ("uct", "mcps")


def solvers_of(name):
    """Return a search by each bundled solver that a problem can have: pareto needs several goals."""
    known = [solver_class(each) for each in solvers.bundled if made(name).goals or each != "pareto"]
    if name not in WITH_EVERY_TREE:
        trees = MAIN_TREES if name in WITH_TREES else ()
        known = [each for each in known if not issubclass(each, TreeSearchOptions) or each.name in trees]
    return [each(**LEVELS.get(each.name, {})) for each in known]
