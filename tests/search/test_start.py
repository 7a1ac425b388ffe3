import math

import pytest
from user_problems import Bits

import nrpa


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


def test_stepping_is_solving(problem):
    """A search advanced in pieces ends as one that ``solve`` runs; its clock stands still in between."""
    solver = nrpa.GNRPA(level=2, iterations=10)
    run = nrpa.start(problem, solver, seed=3)
    assert [run.advance(playouts=100) for _ in range(5)] == ["playouts"] * 5
    whole = nrpa.solve(problem, solver, seed=3, playouts=500)
    result = run.result()
    assert result.solution == whole.solution
    assert result.playouts == 500
    assert [p[1:] for p in result.improvements] == [p[1:] for p in whole.improvements]
    before = run.progress.seconds
    assert run.advance(time=0.02) == "time"
    assert run.progress.seconds >= before + 0.02


def test_no_result_before_the_first_playout(problem):
    """Said in a sentence."""
    with pytest.raises(nrpa.InputError, match="has not been advanced"):
        nrpa.start(problem, seed=1).result()


SOLVERS = [nrpa.GNRPA(level=2, iterations=10), nrpa.NMCS(level=1), nrpa.RandomSampling()]


@pytest.mark.parametrize("solver", SOLVERS, ids=[s.name for s in SOLVERS])
def test_warm_start_is_never_lost(problem, solver):
    """From a good result, two playouts give a result that is as good, and its solution; JSON in between."""
    good = nrpa.solve(problem, seed=1, playouts=3000)
    again = nrpa.Result.from_json(good.to_json())
    warm = nrpa.solve(problem, solver, seed=2, playouts=2, warm_start=again)
    assert warm.score >= good.score
    cold = nrpa.solve(problem, solver, seed=2, playouts=2)
    assert cold.score < good.score


def test_nrpa_adapts_to_the_warm_start():
    """Playouts resemble the sequence to start from sooner than without it."""
    ones = [1] * 10
    run = nrpa.start(Bits(), nrpa.NRPA(level=1), seed=1, warm_start=ones)
    run.advance(playouts=15)
    warm = run._search.last_score
    run = nrpa.start(Bits(), nrpa.NRPA(level=1), seed=1)
    run.advance(playouts=15)
    assert warm > run._search.last_score


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        ([1, 2], "move 2, 2, is not legal; expected one of 0, 1"),
        ([1] * 9, "ends before the end"),
        ("1", "list of moves"),
    ],
)
def test_a_warm_start_that_is_no_solution(solution, message):
    """Said in a sentence."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.start(Bits(), seed=1, warm_start=solution)


def test_initial_weights_are_the_policy(problem):
    """With large weights along a tour, the first playout is that tour; dense codes, and codes of Python."""
    tour = nrpa.solve(problem, seed=1, playouts=2000).solution
    n = problem.cities
    weights = {a * n + b: 50.0 for a, b in zip([0, *tour], tour, strict=False)}
    solver = nrpa.NRPA(level=1)
    assert nrpa.solve(problem, solver, seed=5, playouts=1, weights=weights).solution == tour
    ones = {(k, 1): 50.0 for k in range(10)}
    assert nrpa.solve(Bits(), solver, seed=5, playouts=1, weights=ones).score == 10
    with pytest.raises(nrpa.InputError, match="weights must be of shape"):
        nrpa.start(problem, solver, seed=5, weights=[1.0, 2.0])
    with pytest.raises(nrpa.InputError, match="-1 is not a code"):
        nrpa.start(problem, solver, seed=5, weights={-1: 2.0})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.nan, "weights must be finite"),
        (math.inf, "weights must be finite"),
        (1e4, "weights must be finite, and at most 391 times tau, not 10000"),
        (-1e4, "must be at least -391, not -50"),
    ],
)
def test_weights_that_no_policy_can_hold(problem, value, message):
    """Refused alike for dense codes, for hashes and for codes of Python."""
    board = nrpa.SameGame([[0, 1], [0, 1]])
    for each, code in ((problem, 5), (board, 5), (Bits(), (0, 1))):
        with pytest.raises(nrpa.InputError, match=message):
            nrpa.start(each, nrpa.GNRPA(level=1, tau=2.0), seed=5, weights={code: value})


def test_a_bias_that_no_policy_can_hold(problem):
    """Refused where its exponential is out of range, alone or with the weights."""
    with pytest.raises(nrpa.InputError, match="must be at most 391, not 1000"):
        nrpa.start(problem, seed=5, bias={5: 1000.0})
    with pytest.raises(nrpa.InputError, match="must be at most 391, not 600"):
        nrpa.start(problem, seed=5, bias={5: 300.0}, weights={5: 300.0})
    with pytest.raises(nrpa.InputError, match="must be at most 391, not 1000"):
        nrpa.start(problem, nrpa.RandomSampling(bias=True), seed=5, bias={5: 1000.0})
    with pytest.raises(nrpa.InputError, match=r"β must be at least -391, not -1000; differences count"):
        nrpa.start(problem, seed=5, bias={5: -1000.0})


def test_a_bias_from_the_caller(problem):
    """An array, a mapping or a function, in place of the problem's own β; the problem itself stays as it was."""
    own = problem.bias_by_code()
    expected = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=50).solution
    for bias in (own, lambda code: own[code], dict(enumerate(own))):
        assert nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=50, bias=bias).solution == expected
    assert nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=50, bias=-own).solution != expected
    for bias in (lambda state, move: 30.0 * move, {(k, 1): 30.0 for k in range(10)}):
        assert nrpa.solve(Bits(), nrpa.GNRPA(level=1), seed=1, playouts=1, bias=bias).score == 10


def test_a_result_of_another_instance_is_no_warm_start(problem):
    """Of another problem neither, although its solution may have the same form."""
    other = nrpa.solve(nrpa.TSPTW.load("rc206.1"), seed=1, playouts=5)
    with pytest.raises(nrpa.InputError, match=r"is of tsptw rc206.1, not of tsptw rc201.1"):
        nrpa.start(problem, seed=1, warm_start=other)
    with pytest.raises(nrpa.InputError, match=r"is of tsptw rc206.1, not of Bits"):
        nrpa.start(Bits(), seed=1, warm_start=other)


def test_what_is_no_solution_is_no_warm_start(problem):
    """Said as the check says it."""
    with pytest.raises(nrpa.InputError, match=r"tsptw: the solution to start from is none: .*list"):
        nrpa.start(problem, seed=1, warm_start="x")


def test_a_packing_that_the_search_cannot_build():
    """It leaves room for an item that is in a later bin."""
    with pytest.raises(nrpa.InputError, match="cannot build bin 1 of the packing to start from"):
        nrpa.start(nrpa.BinPacking(10, [3, 3, 3, 1]), seed=1, warm_start=[[3, 3, 3], [1]])
    problem = nrpa.BinPacking(10, [6, 4, 3, 3, 4], moves="all")
    run = nrpa.start(problem, nrpa.NRPA(), seed=1, warm_start=[[4, 4], [3, 6], [3]])
    assert run._search.score == pytest.approx(-3 - 0.5 * (1 - (0.64 + 0.81 + 0.09) / 3))
