"""The smallest instance of every bundled problem, and problems in plain Python."""

from importlib import import_module

from user_problems import EXAMPLES, Bits

from nrpa.io.source import bundled
from nrpa.registry import problem_class

PLAIN = {
    "knapsack": lambda: import_module("knapsack").Knapsack.load(str(EXAMPLES / "knapsack.txt")),
    "snake": lambda: import_module("snake").Snake.load("5"),
    "bits": Bits,
}


def made(name):
    """Return a problem, read anew."""
    if name in PLAIN:
        return PLAIN[name]()
    return problem_class(name).load(min(bundled(name).values(), key=lambda row: row.size).name)
