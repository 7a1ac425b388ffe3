"""The golden traces: searches of every problem and solver, and what they found when they were recorded.

``python tests/golden.py [PROBLEM ...] [--solver SOLVER]`` records all of them, or those named, anew; do that for others
than new ones only where a change of the results is intended, and say why.
"""

import hashlib
import json
from importlib import import_module
from pathlib import Path

import numpy as np
from user_problems import EXAMPLES

import nrpa

FILE = Path(__file__).with_name("golden.json")
PLAYOUTS = 4096
SLOW_PLAYOUTS = 512


def python_knapsack():
    items = np.random.default_rng(7).integers(5, 30, (2, 40)).tolist()
    return import_module("knapsack").Knapsack(*items, 350)


def compiled_knapsack():
    items = np.random.default_rng(7).integers(5, 30, (2, 40)).tolist()
    return import_module("knapsack_compiled").CompiledKnapsack(*items, 350)


def facilities():
    rng = np.random.default_rng(1)
    arrays = rng.integers(50, 100, 7), rng.integers(20, 40, 7), rng.integers(5, 10, 8), rng.random((7, 8)) * 10
    return import_module("facilities").Facilities(*arrays)


def routes(name, **options):
    """Return a bundled instance with as many vehicles as it takes."""
    given = nrpa.VRPTW.load(name)
    arrays = given.distances, given.windows, given.demand, given.capacity
    return nrpa.VRPTW(*arrays, service=given.service, **options)


PROBLEMS = {
    "tsptw": lambda: nrpa.TSPTW.load("rc204.1"),
    "tsptw-all": lambda: nrpa.TSPTW.load("rc201.1", moves="all"),
    "samegame": lambda: nrpa.SameGame.load("samegame-01"),
    "morpion": lambda: nrpa.Morpion.load("5D"),
    "binpacking": lambda: nrpa.BinPacking.load("t60_01"),
    "binpacking-room": lambda: nrpa.BinPacking.load("Hard28_BPP13", moves="all", codes="room"),
    "rna": lambda: nrpa.InverseFolding.load("eterna-v1-66"),
    "fold": lambda: nrpa.Folding.load("trna-phe", pseudoknots=True),
    "coloring": lambda: nrpa.Coloring.load("queen8_8"),
    "coloring-given": lambda: nrpa.Coloring.load("myciel5", colors=5),
    "snake-9": lambda: nrpa.Snake.load("9"),
    "coil-8": lambda: nrpa.Snake.load("coil-8"),
    "vrptw": lambda: routes("r101"),
    "vrptw-distance": lambda: routes("c101", first="distance", returns="free"),
    "schur": lambda: nrpa.WeakSchur(6),
    "schur-repeat": lambda: nrpa.WeakSchur.load("9", moves="repeat"),
    "knapsack": python_knapsack,
    "knapsack-compiled": compiled_knapsack,
    "snake": lambda: import_module("snake").Snake.load("7"),
    "facilities": facilities,
}
# Where a playout has thousands of moves, tree searches are left out: they would take as long as all others.
LONG = ("schur-repeat",)
# One of each class of states, for which the test compiles tree searches.
WITH_TREES = ("tsptw", "samegame", "knapsack")
TREES = ("uct-commit", "mcps-10", "shuss-adapt")
SLOW = ("rna", "fold", "knapsack", "facilities", *LONG)

SOLVERS = {
    "gnrpa-3": lambda: nrpa.GNRPA(level=3, iterations=10, tau=1.4),
    "gnrpa-2": lambda: nrpa.GNRPA(level=2),
    "gnrpa-2-memoized": lambda: nrpa.GNRPA(level=2, adapt="memoized"),
    "gnrpa-2-plain": lambda: nrpa.GNRPA(level=2, adapt="plain"),
    "gnrpa-2-alpha": lambda: nrpa.GNRPA(level=2, iterations=20, alpha=2.5, tau=0.7),
    "nrpa-2": lambda: nrpa.NRPA(level=2),
    "nmcs-1": lambda: nrpa.NMCS(level=1),
    "nmcs-2": lambda: nrpa.NMCS(level=2),
    "nmcs-2-forgetful": lambda: nrpa.NMCS(level=2, memory=False, bias=True),
    "tempering": lambda: nrpa.Tempering(chains=4, period=50),
    "random": nrpa.RandomSampling,
    "random-bias": lambda: nrpa.RandomSampling(bias=True),
    "greedy": nrpa.Greedy,
    "uct-commit": lambda: nrpa.UCT(commit=100),
    "mcps-10": lambda: nrpa.MCPS(ref=10),
    "shuss-adapt": lambda: nrpa.SHUSS(budget=500, policy="adapt"),
}


def trace(problem, solver, playouts):
    """Return the best score after 2^k playouts, and the hash of the best solution at the end."""
    run = nrpa.start(problem, solver, seed=11)
    scores = []
    done = 0
    while done < playouts and run.advance(playouts=max(done, 1)) == "playouts":
        done = run.progress.playouts
        scores.append(run.progress.score)
    solution = json.dumps(run.result().solution)
    return {"playouts": run.progress.playouts, "scores": scores, "best": hashlib.sha256(solution.encode()).hexdigest()}


def solvers_of(name, whole=True):
    """Return the names of the solvers that search a problem; where not all is tested, tree searches are for three."""
    has_trees = name not in LONG if whole else name in WITH_TREES
    return [solver for solver in SOLVERS if has_trees or solver not in TREES]


def traces(name, solvers):
    """Return the traces of one problem by solver."""
    problem = PROBLEMS[name]()
    playouts = SLOW_PLAYOUTS if name in SLOW else PLAYOUTS
    return {solver: trace(problem, SOLVERS[solver](), playouts) for solver in solvers}


if __name__ == "__main__":
    import argparse
    import sys

    sys.path.insert(0, str(EXAMPLES))
    parser = argparse.ArgumentParser()
    parser.add_argument("problems", nargs="*", default=list(PROBLEMS))
    parser.add_argument("--solver")
    given = parser.parse_args()
    recorded = json.loads(FILE.read_text())
    for name in given.problems:
        found = traces(name, [given.solver] if given.solver else solvers_of(name))
        known = recorded.get(name, {}) if given.solver else {}
        recorded[name] = {solver: (known | found)[solver] for solver in SOLVERS if solver in known | found}
        FILE.write_text(json.dumps(recorded, indent=1) + "\n")
