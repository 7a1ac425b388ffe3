import json

import numpy as np
import pytest
from naive_nrpa import NaiveGNRPA
from naive_tsptw import NaiveExchanges, NaiveTSPTW
from user_problems import Bits
from walk import scores

import nrpa

PLAYOUTS = 5000


class BiasedBits(Bits):
    """Bits that count differently, with a β that misleads."""

    def score(self, state):
        return sum(k * bit for k, bit in enumerate(state))

    def bias(self, state, move):
        return -0.3 * len(state) * move


class NaiveBits:
    """The same as the naive search wants it."""

    def __init__(self, problem):
        self.initial, self.legal, self.play = problem.initial_state, problem.legal_moves, problem.play
        self.score, self.code, self.bias = problem.score, problem.code, problem.bias


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.GNRPA(level=3, iterations=12, tau=1.4),
        nrpa.GNRPA(level=2, iterations=40, tau=0.5, alpha=1.5),
        nrpa.NRPA(level=1, iterations=300),
        nrpa.GNRPA(level=3, iterations=30, repetitions=2, alpha=2),
        nrpa.NRPA(level=2, iterations=60, repetitions=1, alpha=2),
        nrpa.GNRPA(level=2, iterations=40, gamma=0.3, repetitions=10),
        nrpa.GNRPA(level=2, iterations=40, repetitions=5, improve=True),
        nrpa.GNRPA(level=3, iterations=[30, 8], alpha=[0.3, 1, 2.5], repetitions=[3, 0]),
    ],
    ids=["gnrpa-3", "gnrpa-2", "nrpa-1", "repetitions-3", "repetitions-nrpa", "gamma", "improve", "by-level"],
)
def test_agrees_with_the_algorithms_as_printed(solver):
    """5,000 playouts score as those of a plain transcription of Algorithms 3 to 5, restarts included."""
    problem = nrpa.TSPTW.load("rc203.4")
    options = {"tau": 1.0, "bias": False, **solver.options}
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist(), use_bias=options["bias"])
    del options["bias"], options["adapt"]
    exchanges = NaiveExchanges(problem.distances.tolist(), problem.windows.tolist())
    options["improve"] = exchanges.improved if options.pop("improve", False) else None
    oracle = NaiveGNRPA(plain, **options, seed=3, playouts=PLAYOUTS).run()
    found, search = scores(problem, solver, 3, PLAYOUTS)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.moves.tolist() == oracle.best[1]


@pytest.mark.parametrize(
    "options",
    [{"iterations": 4}, {"iterations": 30, "repetitions": 1, "alpha": 2.0, "gamma": 0.3}, {"iterations": (9, 4)}],
    ids=["plain", "repetitions", "by-level"],
)
def test_without_a_top_level(options):
    """As if a search of level 1 that has finished became the first iteration of level 2, and so on; no restart."""
    problem = nrpa.TSPTW.load("rc203.4")
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist())
    given = {"alpha": 1.0, "tau": 1.0, **options}
    oracle = NaiveGNRPA(plain, None, **given, seed=3, playouts=PLAYOUTS).run_without_top_level()
    found, search = scores(problem, nrpa.GNRPA(level=None, **options), 3, PLAYOUTS)
    assert found == pytest.approx(oracle.scores, rel=1e-12)
    assert search.moves.tolist() == oracle.best[1]
    assert search.finished == 0
    again, _ = scores(problem, nrpa.GNRPA(level=2, **options), 3, PLAYOUTS)
    assert found != again


def test_improving_needs_the_kernel():
    """A problem without it says so."""
    for problem in (Bits(), nrpa.SameGame([[0, 0], [1, 1]])):
        with pytest.raises(nrpa.InputError, match="improve needs a method or kernel improve"):
            nrpa.start(problem, nrpa.GNRPA(improve=True))


def test_levels_without_a_top_level():
    """So many that no search finishes; 20 where iterations are few."""
    assert nrpa.GNRPA(level=None) == nrpa.GNRPA(level="auto")
    assert [nrpa.NRPA(level=None, iterations=n).levels for n in (1, 2, 100, 2**62)] == [20, 20, 10, 1]
    assert nrpa.NRPA(level=None, repetitions=10).levels == 18
    assert nrpa.NRPA(level=None, repetitions=1000).levels == 10
    assert nrpa.NRPA(level=4).levels == 4
    assert nrpa.NRPA(level=None, iterations=(2**60, 2)).levels == 3


def test_options_by_level():
    """A list is kept as a tuple, by every way to give it; one that is longer than the search has levels is refused."""
    solver = nrpa.NRPA(level=2, alpha=[0.5, 1], iterations=(20, 10))
    assert (solver.alpha, solver.iterations, solver.repetitions) == ((0.5, 1.0), (20, 10), 0)
    assert solver.options == json.loads(json.dumps(solver.options))
    assert solver == nrpa.NRPA(**solver.options)
    with pytest.raises(nrpa.InputError, match=r"^alpha has a value for each of 3 levels; the search has 2$"):
        nrpa.NRPA(level=2, alpha=[1, 2, 3])
    with pytest.raises(nrpa.InputError, match=r"^iterations must have a value for a level at least, not an empty list"):
        nrpa.NRPA(iterations=[])
    with pytest.raises(nrpa.InputError, match="alpha must be"):
        nrpa.NRPA(alpha=[1, 0])


@pytest.mark.parametrize("options", [{}, {"gamma": 0.3, "repetitions": 5}], ids=["default", "gamma"])
@pytest.mark.parametrize("adapt", ["plain", "memoized"])
def test_the_three_adapts_give_the_same_scores(adapt, options):
    """Bit for bit, over 5,000 playouts of the main instance."""
    problem = nrpa.TSPTW.load("rc204.1")
    expected, _ = scores(problem, nrpa.GNRPA(level=3, iterations=20, tau=1.4, **options), 1, PLAYOUTS)
    found, _ = scores(problem, nrpa.GNRPA(level=3, iterations=20, tau=1.4, adapt=adapt, **options), 1, PLAYOUTS)
    assert found == expected
    assert len(set(found)) > 1000


@pytest.mark.parametrize("adapt", ["plain", "memoized", "optimized"])
def test_gamma_is_the_same_for_a_bias_that_comes_with_the_moves(adapt):
    """A problem of plain Python, whose β comes with the moves, searches like the naive one; γ makes a difference."""
    problem = BiasedBits()
    options = {"level": 2, "iterations": 20, "alpha": 1.0, "tau": 1.4, "gamma": 0.2}
    oracle = NaiveGNRPA(NaiveBits(problem), **options, seed=3, playouts=1000).run()
    found, _ = scores(problem, nrpa.GNRPA(**options, adapt=adapt), 3, 1000)
    assert found == oracle.scores
    options["gamma"] = 1.0
    assert found != scores(problem, nrpa.GNRPA(**options, adapt=adapt), 3, 1000)[0]


@pytest.mark.parametrize("gamma", [1.0, 0.2])
def test_only_alpha_over_tau_squared_counts(gamma):
    """Also with a bias: the naive search with τ = 1.4, and with α / 1.4² and τ = 1, is one search, as the compiled."""
    problem = BiasedBits()
    options = {"level": 2, "iterations": 20, "gamma": gamma}
    warm, cold = {"alpha": 1.0, "tau": 1.4, **options}, {"alpha": 1.0 / 1.4**2, "tau": 1.0, **options}
    oracle = NaiveGNRPA(NaiveBits(problem), **warm, seed=3, playouts=1000).run()
    assert NaiveGNRPA(NaiveBits(problem), **cold, seed=3, playouts=1000).run().scores == oracle.scores
    assert scores(problem, nrpa.GNRPA(**warm), 3, 1000)[0] == oracle.scores
    assert scores(problem, nrpa.GNRPA(**cold), 3, 1000)[0] == oracle.scores
    assert scores(problem, nrpa.GNRPA(**{**warm, "tau": 1.0}), 3, 1000)[0] != oracle.scores


def test_extreme_gamma_and_bias_stay_finite():
    """The probabilities of Adapt are numbers, however far β and γβ are from each other."""
    problem = nrpa.TSPTW.load("rc201.1")
    bias = np.linspace(-390, 390, problem.codes)
    run = nrpa.start(problem, nrpa.GNRPA(level=2, iterations=30, gamma=1e-100, alpha=50), seed=1, bias=bias)
    run.advance(playouts=900)
    assert run.progress.score < 0


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
        ({"level": "none"}, "level must be a number or auto, not 'none'"),
        ({"level": 21}, "level must be at most 20, not 21"),
        ({"level": 10**30}, "level must be at most 20"),
        ({"iterations": 0}, "iterations"),
        ({"repetitions": -1}, "repetitions must be a whole number of at least 0, not -1"),
        ({"repetitions": 2.5}, "repetitions must be a whole number"),
        ({"gamma": 0}, "gamma must be a positive number, not 0"),
        ({"gamma": 1.5}, "gamma must be from 1e-100 to 1, not 1.5"),
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
