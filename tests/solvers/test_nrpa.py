import numpy as np
import pytest
from naive_nrpa import NaiveGNRPA
from naive_tsptw import NaiveTSPTW

import nrpa

PLAYOUTS = 5000


def scores(problem, solver, seed, playouts):
    """Return the score of every playout, one at a time, and the search."""
    search = solver.start(problem, seed)
    found = []
    for _ in range(playouts):
        search.advance(1)
        found.append(search.last_score)
    return found, search


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.GNRPA(level=3, iterations=12, tau=1.4),
        nrpa.GNRPA(level=2, iterations=40, tau=0.5, alpha=1.5),
        nrpa.NRPA(level=1, iterations=300),
    ],
    ids=["gnrpa-3", "gnrpa-2", "nrpa-1"],
)
def test_agrees_with_the_algorithms_as_printed(solver):
    """5,000 playouts score as those of a plain transcription of Algorithms 3 to 5, restarts included."""
    problem = nrpa.TSPTW.load("rc203.4")
    options = {"tau": 1.0, "bias": False, **solver.options}
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist(), use_bias=options["bias"])
    oracle = NaiveGNRPA(
        plain, solver.level, solver.iterations, solver.alpha, options["tau"], seed=3, playouts=PLAYOUTS
    ).run()
    found, search = scores(problem, solver, 3, PLAYOUTS)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.moves.tolist() == oracle.best[1]


@pytest.mark.parametrize("adapt", ["plain", "memoized"])
def test_the_three_adapts_give_the_same_scores(adapt):
    """Bit for bit, over 5,000 playouts of the main instance."""
    problem = nrpa.TSPTW.load("rc204.1")
    expected, _ = scores(problem, nrpa.GNRPA(level=3, iterations=20, tau=1.4), 1, PLAYOUTS)
    found, _ = scores(problem, nrpa.GNRPA(level=3, iterations=20, tau=1.4, adapt=adapt), 1, PLAYOUTS)
    assert found == expected
    assert len(set(found)) > 1000


def test_slices_do_not_change_the_search():
    """A search advanced in pieces is the search advanced at once."""
    problem, solver = nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA(level=2, iterations=10)
    whole, pieces = solver.start(problem, 5), solver.start(problem, 5)
    while whole.playouts < 1000:
        whole.advance(1000 - whole.playouts)
    while pieces.playouts < 1000:
        pieces.advance(min(7, 1000 - pieces.playouts))
    assert whole.score == pieces.score
    assert whole.last_score == pieces.last_score
    assert whole.moves.tolist() == pieces.moves.tolist()


@pytest.mark.parametrize("adapt", ["plain", "memoized", "optimized"])
def test_extreme_learning_rates_stay_finite(adapt):
    """Weights that grow beyond all bounds are held where their probabilities no longer change."""
    problem = nrpa.TSPTW.load("rc201.1")
    for alpha, tau in ((1000.0, 1.0), (1.0, 0.02), (1e-9, 50.0), (1e100, 1e-100), (1e-100, 1e100)):
        solver = nrpa.GNRPA(level=2, iterations=50, alpha=alpha, tau=tau, adapt=adapt)
        found, _ = scores(problem, solver, 2, 500)
        assert all(value < 0 for value in found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 0}, "level must be a whole number of at least 1, not 0"),
        ({"level": 1.5}, "level"),
        ({"level": True}, "level"),
        ({"level": 21}, "level must be at most 20, not 21"),
        ({"level": 10**30}, "level must be at most 20"),
        ({"iterations": 0}, "iterations"),
        ({"iterations": 2**63}, "iterations must be at most 9223372036854775807, not 9223372036854775808"),
        ({"alpha": 1e308}, r"alpha must be from 1e-100 to 1e\+100, not 1e\+308"),
        ({"alpha": 10**400}, "alpha must be from"),
        ({"alpha": True}, "alpha must be a positive number"),
        ({"tau": 1e-300}, "tau must be from 1e-100"),
        ({"alpha": 0.0}, "alpha must be a positive number, not 0.0"),
        ({"alpha": -1}, "alpha"),
        ({"tau": float("nan")}, "tau must be a positive number, not nan"),
        ({"tau": float("inf")}, "tau"),
        ({"adapt": "fast"}, "adapt must be one of plain, memoized, optimized, not 'fast'"),
    ],
)
def test_options_out_of_range(options, message):
    """Each option that makes no sense is named."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.GNRPA(**options)


def test_numbers_of_numpy_become_numbers_of_python():
    """So that JSON can hold the options of the result."""
    solver = nrpa.GNRPA(level=np.int32(2), iterations=np.int64(7), alpha=np.float32(1.5), tau=2, bias=np.bool_(True))
    assert {type(value) for value in solver.options.values()} == {int, float, bool, str}
    assert solver == nrpa.GNRPA(level=2, iterations=7, alpha=1.5, tau=2.0)
    plain = nrpa.NRPA(level=np.int32(2), alpha=np.float32(0.5))
    result = nrpa.solve(nrpa.TSPTW.load("rc201.1"), plain, seed=np.uint8(3), playouts=np.int64(10))
    assert nrpa.Result.from_json(result.to_json()) == result
