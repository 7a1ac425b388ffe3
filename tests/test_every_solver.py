import pytest
from small_problems import SMALL, made, solvers_of

import nrpa


@pytest.fixture(params=SMALL)
def name(request):
    return request.param


def assert_finds_the_same_again(problem, solver):
    first, second = (nrpa.solve(problem, solver, seed=3, playouts=60) for _ in range(2))
    assert first.playouts == 60 or first.status in ("optimal", "target")
    assert first.solution == second.solution
    verdict = problem.check(first.solution)
    assert verdict.valid or verdict.faults_counted
    assert verdict.score == pytest.approx(first.score)


def test_every_solver_runs_on_every_problem(name):
    """Each finds a solution whose score the problem's own check confirms, and finds it again from the same seed."""
    problem = made(name)
    for solver in solvers_of(name):
        assert_finds_the_same_again(problem, solver)


def test_a_tree_search_runs_on_every_problem(name):
    """As plain Python: compiled, it is tried on each class of states."""
    with nrpa.debug():
        assert_finds_the_same_again(made(name), nrpa.MCPS())


def test_every_problem_starts_from_a_solution_of_its_own(name):
    """The moves that are found for a solution build one as good, and a search that starts from it does not lose it."""
    problem = made(name)
    for seed in range(5):
        found = nrpa.solve(problem, nrpa.NRPA(level=1), seed=seed, playouts=3)
        again = problem.solution(problem.moves_of(found.solution))
        assert problem.check(again).score == pytest.approx(found.score)
        for solver in (nrpa.GNRPA(level=2, iterations=5), nrpa.NMCS(level=2)):
            assert nrpa.solve(problem, solver, seed=9, playouts=1, warm_start=found).score >= found.score - 1e-9
