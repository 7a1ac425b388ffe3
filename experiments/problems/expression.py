"""Expression discovery beside gplearn, on three of Nguyen's formulas chosen before anything was measured.

One is a polynomial, one has functions of one variable, one of two (Uy, Hoai, O'Neill, McKay and Galván-López, Genetic
Programming and Evolvable Machines 12, 2011; their points are drawn at random, here with seed 1).
"""

from __future__ import annotations

import time
import warnings
from itertools import product
from typing import Any

import numpy as np

INSTANCES = "nguyen-4", "nguyen-5", "nguyen-9"
PEER = "gplearn"
BASELINE = "all expressions of five symbols"
OF_GPLEARN = {"+": "add", "-": "sub", "*": "mul", "/": "div", "sin": "sin", "cos": "cos", "log": "log", "sqrt": "sqrt"}
GENERATIONS = 20


def answer(problem: Any, seconds: float) -> list[str] | None:
    """Return the best expression of gplearn's runs of 20 generations, seeds 1, 2 and so on, that has values everywhere.

    It has the same symbols but exp, which it lacks: as a function of its own. Constants are columns of the data.
    """
    from gplearn.functions import make_function  # only measurements need it
    from gplearn.genetic import SymbolicRegressor

    end, best, seed = time.process_time() + seconds, None, 0
    exponential = make_function(function=lambda x: np.exp(np.minimum(x, 100.0)), name="exp", arity=1)
    used = [exponential if name == "exp" else OF_GPLEARN[name] for name in problem.functions.split()]
    terminals = problem.symbols[len(used) :]
    names = {**{gplearn: name for name, gplearn in OF_GPLEARN.items()}, "exp": "exp"}
    while time.process_time() < end:
        seed += 1
        run = SymbolicRegressor(
            function_set=used,
            const_range=None,
            metric="rmse",
            parsimony_coefficient=problem.cost * problem.spread,
            warm_start=True,
            generations=1,
            random_state=seed,
        )
        while run.generations <= GENERATIONS and time.process_time() < end:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run.fit(problem.terminals.T, problem.y)
            run.generations += 1
            for program in run._programs[-1]:
                best = better(problem, best, symbols_of(program.program, terminals, names), program.raw_fitness_)
    return best[1] if best else None


def symbols_of(program: list[Any], terminals: list[str], names: dict[str, str]) -> list[str]:
    """Return one of gplearn's programs in the problem's own form."""
    return [terminals[each] if isinstance(each, (int, np.integer)) else names[each.name] for each in program]


def better(problem: Any, best: Any, symbols: list[str], error: float) -> Any:
    """Return the cost and the symbols of what is better; what gplearn thinks is worse is not checked."""
    rough = error / problem.spread + problem.cost * len(symbols)
    if len(symbols) > problem.length or (best and rough >= best[0]):
        return best
    verdict = problem.check(symbols)
    cost = verdict.figures.get("cost", np.inf)
    return (cost, symbols) if not verdict.faults and (not best or cost < best[0]) else best


def baseline(problem: Any) -> list[str]:
    """Return the best of all expressions of at most five symbols."""
    found = []
    for count in range(1, 6):
        for symbols in product(range(len(problem.symbols)), repeat=count):
            missing = np.cumsum(problem.arity[list(symbols)] - 1) + 1
            if missing[-1] == 0 and (missing[:-1] > 0).all():
                found.append(symbols)
    best = max(found, key=lambda symbols: problem.worth(np.array(symbols), len(symbols)))
    return problem.solution_of(best)
