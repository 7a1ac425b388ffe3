import pickle

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.modelling.bias import with_bias


def solvers_of(problem, auto=None):
    """Return the solvers of the arms."""
    return [arm.solver for arm in (auto or nrpa.Auto()).arms(problem)]


def test_it_is_the_search_of_its_parts():
    """GNRPA as it is chosen, on the problem as it is tuned: score by score."""
    problem = nrpa.TSPTW.load("rc203.4")
    auto = nrpa.Auto(improve=False, tempering=False).start(problem, 1)
    parts = nrpa.GNRPA(level=None, repetitions=10, gamma=0.3).start(
        nrpa.TSPTW.load("rc203.4", moves="lookahead", bias_rule="neighbours"), 1
    )
    for _ in range(500):
        auto.advance(1)
        parts.advance(1)
        assert auto.last_score == parts.last_score
    assert auto.moves.tolist() == parts.moves.tolist()


def test_problems_without_a_bias_by_code():
    """Nothing but the top level is taken away from GNRPA."""
    for problem in (Bits(), nrpa.SameGame.load("samegame-01")):
        assert problem.recommended() is problem
        assert not problem.can_improve
        assert {arm.solver for arm in nrpa.Auto(tempering=False).arms(problem)} == {nrpa.GNRPA(level=None)}
    auto, gnrpa = (solver.start(Bits(), 1) for solver in (nrpa.Auto(tempering=False), nrpa.GNRPA()))
    for _ in range(200):
        auto.advance(1)
        gnrpa.advance(1)
        assert auto.last_score == gnrpa.last_score


def test_problems_that_say_so_are_tempered():
    """As by the solver itself, from a given game too; but not where the weights of a policy are given."""
    board = np.random.default_rng(1).integers(0, 3, (17, 3))
    assert solvers_of(nrpa.SameGame(board[1:])) == [nrpa.Tempering()]
    assert nrpa.GNRPA(level=None) in solvers_of(nrpa.SameGame(board))
    problem = nrpa.Morpion("4D")
    assert solvers_of(problem) == [nrpa.Tempering()]
    assert solvers_of(problem, nrpa.Auto(tempering=False)) == [nrpa.GNRPA(level=None)]
    auto, tempering = (solver.start(problem, 1) for solver in (nrpa.Auto(), nrpa.Tempering()))
    for _ in range(300):
        auto.advance(1)
        tempering.advance(1)
        assert auto.last_score == tempering.last_score
    warm = nrpa.Auto().start(problem, 2, warm_start=auto.moves)
    warm.advance(1)
    assert warm.score == auto.score
    weights = np.linspace(0.0, 1.0, problem.codes)
    weighted, adapting = (each.start(problem, 1, weights=weights) for each in (nrpa.Auto(), nrpa.GNRPA(level=None)))
    for _ in range(100):
        weighted.advance(1)
        adapting.advance(1)
        assert weighted.last_score == adapting.last_score


class TemperedBits(Bits):
    """Bits that say that they are to be tempered."""

    is_tempered = True


def test_a_bias_of_the_callers_is_used():
    """No problem that says so is tempered with it: zeros, which the bias wants, come first; compiled ones the same."""
    bias = {(step, 0): 30.0 for step in range(10)}
    result = nrpa.solve(TemperedBits(), nrpa.Auto(), seed=1, playouts=1, bias=bias)
    assert result.solution == [0] * 10
    assert "bias" in result.inputs
    assert solvers_of(TemperedBits()) == [nrpa.Tempering()]
    problem = nrpa.Morpion("4D")
    assert solvers_of(with_bias(problem, np.zeros(problem.codes))) == [
        nrpa.GNRPA(level=None, repetitions=10, gamma=0.3)
    ]
    assert problem.is_tempered


def test_a_bias_of_the_callers_leaves_one_arm():
    """The arms of a problem have biases of their own."""

    class Arms(nrpa.TSPTW):
        def arms(self):
            return self, nrpa.TSPTW(self.distances, self.windows, moves="all")

    problem = Arms([[0, 1], [1, 0]], [[0, 9]] * 2)
    search = nrpa.Auto(improve=False).start(with_bias(problem, np.zeros(4)), 1)
    assert search.chosen == "auto: gnrpa: a bias or weights were given"


@pytest.mark.parametrize(
    ("make", "solver", "given", "chosen"),
    [
        (lambda: nrpa.TSPTW.load("rc201.1"), nrpa.Auto(), {}, "gnrpa, improved: the problem can improve playouts"),
        (lambda: nrpa.Morpion("4D"), nrpa.Auto(), {}, "tempering: the problem asks for it"),
        (TemperedBits, nrpa.Auto(), {"bias": {(0, 1): 1.0}}, "gnrpa: a bias or weights were given"),
        (TemperedBits, nrpa.Auto(), {"weights": {(0, 1): 1.0}}, "gnrpa: a bias or weights were given"),
        (TemperedBits, nrpa.Auto(tempering=False), {}, "gnrpa: it is not tempered"),
        (TemperedBits, nrpa.GNRPA(), {}, None),
    ],
)
def test_it_says_what_it_chose(make, solver, given, chosen):
    """Why there is one search only. Other solvers choose nothing."""
    result = nrpa.solve(make(), solver, seed=1, playouts=10, **given)
    assert result.chosen == (None if chosen is None else f"auto: {chosen}")


@pytest.mark.parametrize(
    ("problem", "given", "playouts"),
    [
        (Bits(), {}, 900),
        (Bits(), {"weights": {(0, 1): 1.0}}, 20),
        (nrpa.TSPTW.load("rc201.1"), {}, 20),
        (nrpa.SameGame([[0, 1, 0], [1, 0, 2], [0, 1, 1]]), {}, 20),
    ],
)
def test_workers_say_what_the_first_one_chose(problem, given, playouts):
    """In processes and in threads, where each has a portfolio of its own."""
    run = nrpa.start(problem, nrpa.Auto(), seed=1, workers=2, **given)
    run.advance(playouts=2 * playouts)
    stream, _ = np.random.SeedSequence(1).spawn(2)
    first = nrpa.Auto().start(problem, stream, **given)
    first.advance(playouts)
    assert run.result().chosen == run.chosen == first.chosen
    run.close()


def test_tuning_keeps_what_the_caller_chose():
    """A tuned problem is itself; a scale stays; with a bias of the caller's, the rule for moves stays, too."""
    problem = nrpa.TSPTW.load("rc201.1", bias_scale=1.5)
    tuned = problem.recommended()
    own = {"moves": "lookahead", "bias_rule": "neighbours", "bias_scale": 1.5}
    assert tuned.options == {"minimize": "travel", **own}
    assert (tuned.recommended(), problem.recommended(), tuned.label) == (tuned, tuned, "rc201.1")
    scales = {
        name: nrpa.TSPTW.load(name).recommended().bias_scale for name in ("n100w120.002", "n150w140.002", "rc204.1")
    }
    assert scales == {"n100w120.002": 1.0, "n150w140.002": 1.5, "rc204.1": 1.0}
    assert nrpa.TSPTW.load("n200w120.002").recommended().bias_scale == 2.0
    assert nrpa.TSPTW.load("n200w120.002", bias_scale=3.0).recommended().bias_scale == 3.0
    assert nrpa.TSPTW([[0.0] * 130] * 130, [[0, 5]] * 130).recommended().bias_scale == 1.29
    assert nrpa.TSPTW([[0.0] * 130] * 130, [[k, k + 5] for k in range(130)]).recommended().bias_scale == 1.0
    bias = np.linspace(-5, 0, problem.codes)
    given = nrpa.start(problem, nrpa.Auto(improve=False), seed=1, bias=bias)
    plain = nrpa.start(problem, nrpa.GNRPA(level=None, repetitions=10, gamma=0.3), seed=1, bias=bias)
    for run in (given, plain):
        run.advance(playouts=300)
    assert given.progress.score == plain.progress.score


def test_it_goes_on_elsewhere(tmp_path, monkeypatch):
    """Pickled, by several workers, and from a checkpoint, the search stays the one of the tuned problem."""
    monkeypatch.chdir(tmp_path)
    problem = nrpa.TSPTW.load("rc201.1")
    whole = nrpa.solve(problem, nrpa.Auto(), seed=1, playouts=600)
    search = nrpa.Auto().start(problem, 1)
    search.advance(300)
    thawed = pickle.loads(pickle.dumps(search))
    thawed.advance(300)
    assert thawed.score == whole.score
    run = nrpa.start(problem, nrpa.Auto(), seed=1)
    run.advance(playouts=300)
    run.save("a.npz")
    resumed = nrpa.resume("a.npz")
    resumed.advance(playouts=300)
    assert resumed.result().solution == whole.solution
    several = [nrpa.solve(problem, nrpa.Auto(), seed=1, playouts=400, workers=2).solution for _ in range(2)]
    assert several[0] == several[1]


@pytest.mark.parametrize("playouts", [100])
def test_a_warm_start(playouts):
    """The best known tour is where the search begins."""
    problem = nrpa.TSPTW.load("rc204.1")
    first = nrpa.solve(problem, nrpa.Auto(), seed=1, playouts=2000)
    again = nrpa.solve(problem, nrpa.Auto(), seed=2, playouts=playouts, warm_start=first)
    assert again.score >= first.score
