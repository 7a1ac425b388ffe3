import pickle

import pytest
from bundled_problems import PAGES

import nrpa
from nrpa.io.source import bundled
from nrpa.registry import problem_class

# Of two problems, machine code is made of ``improve``, too.
IMPROVED = ("jobshop", "rcpsp")


@pytest.fixture(params=PAGES)
def problem(request):
    """Load the smallest bundled instance."""
    name = request.param
    return problem_class(name).load(min(bundled(name).values(), key=lambda row: row.size).name)


def test_the_class_keeps_the_contract(problem):
    """Random games in plain Python show no fault."""
    contract = nrpa.check_problem(problem.plain, games=5, seed=1)
    assert contract.kept, contract.faults


def test_it_computes_the_same_compiled(problem):
    """The same seed gives the same solution, which the check takes, and which is a start for another search."""
    solver = nrpa.GNRPA(level=1, iterations=5, improve=problem.name in IMPROVED)
    compiled, plain = (nrpa.solve(each, solver, seed=1, playouts=10) for each in (problem, problem.plain))
    assert (compiled.score, compiled.solution) == (plain.score, plain.solution)
    verdict = problem.check(compiled.solution)
    assert verdict.score == pytest.approx(compiled.score)
    assert verdict.valid or verdict.faults_counted
    assert problem.solution(problem.moves_of(compiled.solution)) == compiled.solution
    assert problem.draw(compiled.solution)


def test_what_the_author_keeps_is_reached():
    """Of a compiled class as of the plain one; what neither has is an error as ever."""
    shop = nrpa.JobShop([[(0, 3), (1, 2)]])
    assert shop.machines == shop.plain.machines == 2
    with pytest.raises(AttributeError, match="'JobShop' object has no attribute 'nosuch'"):
        shop.nosuch  # noqa: B018
    assert pickle.loads(pickle.dumps(shop)).machines == 2
