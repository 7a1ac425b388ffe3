import pytest
from small_problems import SMALL, made, solvers_of

import nrpa


@pytest.fixture(params=SMALL)
def problem(request):
    return made(request.param)


def test_every_solver_runs_on_every_problem(problem):
    """Each finds a solution whose score the problem's own check confirms, and finds it again from the same seed."""
    for solver in solvers_of(problem):
        first, second = (nrpa.solve(problem, solver, seed=3, playouts=60) for _ in range(2))
        assert first.playouts == 60 or first.status in ("optimal", "target")
        assert first.solution == second.solution
        verdict = problem.check(first.solution)
        assert verdict.valid or verdict.faults_counted
        assert verdict.score == pytest.approx(first.score)


def test_every_problem_starts_from_a_solution_of_its_own(problem):
    """The moves that are found for a solution build one as good, and a search that starts from it does not lose it."""
    for seed in range(5):
        found = nrpa.solve(problem, nrpa.NRPA(level=1), seed=seed, playouts=3)
        again = problem.solution(problem.moves_of(found.solution))
        assert problem.check(again).score == pytest.approx(found.score)
        for solver in (nrpa.GNRPA(level=2, iterations=5), nrpa.NMCS(level=2)):
            assert nrpa.solve(problem, solver, seed=9, playouts=1, warm_start=found).score >= found.score - 1e-9
