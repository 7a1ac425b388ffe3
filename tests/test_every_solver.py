from importlib import import_module

import numpy as np
import pytest
from bundled_problems import ONE_PLAYER
from user_problems import EXAMPLES

import nrpa
from nrpa.io.source import bundled
from nrpa.registry import problem_class, solver_class, solvers

LEVELS = {"gnrpa": {"level": 2, "iterations": 5}, "nrpa": {"level": 2, "iterations": 5}, "nmcs": {"level": 2}}


def examples():
    rng = np.random.default_rng(1)
    return {
        "knapsack": import_module("knapsack").Knapsack.load(str(EXAMPLES / "knapsack.txt")),
        "knapsack_compiled": import_module("knapsack_compiled").CompiledKnapsack.load(str(EXAMPLES / "knapsack.txt")),
        "snake": import_module("snake").Snake.load("5"),
        "facilities": import_module("facilities").Facilities(
            rng.integers(50, 100, 6), rng.integers(20, 40, 6), rng.integers(5, 10, 8), rng.random((6, 8)) * 10
        ),
    }


def bundled_problem(name):
    """Return the smallest bundled instance of a problem."""
    rows = bundled(name).values()
    return problem_class(name).load(min(rows, key=lambda row: row.size).name)


@pytest.mark.parametrize("name", [*ONE_PLAYER, "knapsack", "knapsack_compiled", "snake", "facilities"])
def test_every_solver_runs_on_every_problem(name):
    """Each finds a solution whose score the problem's own check confirms, and finds it again from the same seed."""
    problem = bundled_problem(name) if name in ONE_PLAYER else examples()[name]
    table = {}
    for solver in solvers.bundled:
        make = solver_class(solver)
        first, second = (nrpa.solve(problem, make(**LEVELS.get(solver, {})), seed=3, playouts=60) for _ in range(2))
        assert first.playouts == 60 or first.status in ("optimal", "target")
        assert first.solution == second.solution
        assert problem.check(first.solution).valid or name == "tsptw"
        table[solver] = problem.objective.value(first.score)
    print(name, table)
    assert set(table) == set(solvers.bundled)


@pytest.mark.parametrize("name", [*ONE_PLAYER, "knapsack", "knapsack_compiled", "snake", "facilities"])
def test_every_problem_starts_from_a_solution_of_its_own(name):
    """The moves that are found for a solution build one as good, and a search that starts from it does not lose it."""
    problem = bundled_problem(name) if name in ONE_PLAYER else examples()[name]
    for seed in range(5):
        found = nrpa.solve(problem, nrpa.NRPA(level=1), seed=seed, playouts=3)
        again = problem.solution(problem.moves_of(found.solution))
        assert problem.check(again).score == pytest.approx(found.score)
        for solver in (nrpa.GNRPA(level=2, iterations=5), nrpa.NMCS(level=2)):
            assert nrpa.solve(problem, solver, seed=9, playouts=1, warm_start=found).score >= found.score - 1e-9
