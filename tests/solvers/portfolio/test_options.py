import pickle

import numpy as np
import pytest
from bundled_problems import ONE_PLAYER
from drawn_vrptw import random_problem
from small_problems import made
from user_problems import Bits

import nrpa
from nrpa.checking.validate import hints_of
from nrpa.modelling.bias import with_bias


def solvers_of(problem, auto=None):
    """Return the solvers of the arms."""
    return [arm.solver for arm in (auto or nrpa.Auto()).arms_of(problem)]


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
        assert not problem.can_improve
        assert {arm.solver for arm in nrpa.Auto(tempering=False).arms_of(problem)} == {nrpa.GNRPA(level=None)}
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

    def hints(self):
        return nrpa.Hints(tempered=True)


@pytest.mark.parametrize("answer", [False, np.False_])
def test_a_problem_that_says_so_is_not_tempered(answer):
    """Also by a bool of NumPy."""
    problem = type("Untempered", (Bits,), {"hints": lambda self: nrpa.Hints(tempered=answer)})()
    assert solvers_of(problem) == [nrpa.GNRPA(level=None)]


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
    assert problem.hints().tempered


def test_a_bias_of_the_callers_leaves_one_arm():
    """The arms of a problem have biases of their own."""

    class Arms(nrpa.TSPTW):
        def hints(self):
            return nrpa.Hints(arms=(self, nrpa.TSPTW(self.distances, self.windows, moves="all")))

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
    tuned = hints_of(problem).arms[0]
    own = {"moves": "lookahead", "bias_rule": "neighbours", "bias_scale": 1.5}
    assert tuned.options == {"minimize": "travel", "rounding": "exact", "near": False, **own}
    assert (hints_of(tuned).arms[0], hints_of(problem).arms[0], tuned.label) == (tuned, tuned, "rc201.1")
    scales = {
        name: nrpa.TSPTW.load(name).hints().arms[0].bias_scale for name in ("n100w120.002", "n150w140.002", "rc204.1")
    }
    assert scales == {"n100w120.002": 1.0, "n150w140.002": 1.5, "rc204.1": 1.0}
    assert nrpa.TSPTW.load("n200w120.002").hints().arms[0].bias_scale == 2.0
    assert nrpa.TSPTW.load("n200w120.002", bias_scale=3.0).hints().arms[0].bias_scale == 3.0
    assert nrpa.TSPTW([[0.0] * 130] * 130, [[0, 5]] * 130).hints().arms[0].bias_scale == 1.29
    assert nrpa.TSPTW([[0.0] * 130] * 130, [[k, k + 5] for k in range(130)]).hints().arms[0].bias_scale == 1.0
    bias = np.linspace(-5, 0, problem.codes)
    given = nrpa.start(problem, nrpa.Auto(improve=False), seed=1, bias=bias)
    plain = nrpa.start(problem, nrpa.GNRPA(level=None, repetitions=10, gamma=0.3), seed=1, bias=bias)
    for run in (given, plain):
        run.advance(playouts=300)
    assert given.progress.score == plain.progress.score


@pytest.mark.parametrize(
    "make",
    [
        lambda **given: nrpa.TSPTW([[0, 1], [1, 0]], [[0, 9]] * 2, moves="selective", **given),
        lambda **_: nrpa.VRPTW([[0, 1], [1, 0]], [[0, 9]] * 2, [0, 1], 1, returns="forced"),
        lambda **_: nrpa.Coloring(2, [(0, 1)], new_colors="forced"),
        lambda **_: nrpa.SameGame([[0, 0], [1, 1]], tabu=1),
    ],
)
def test_an_option_that_is_given_stays(make):
    """Also where it is at its default."""
    problem = make(bias_rule="range")
    assert [arm.problem.options for arm in nrpa.Auto(tempering=False).arms_of(problem)] == [problem.options]
    assert pickle.loads(pickle.dumps(problem)).given_options == problem.given_options != {}


def test_a_problem_that_knows_what_suits_it_is_searched_so_alone():
    """By its hints, by the kernel ``improve``, or with a bias of the caller's; else with each option worth trying."""
    auto = nrpa.Auto(tempering=False)
    for problem in (nrpa.VRPTW.load("c101"), nrpa.BinPacking(10, [3, 4, 5])):
        assert [arm.problem for arm in auto.arms_of(problem)] == [*hints_of(problem).arms]
    schur = nrpa.WeakSchur(4)
    assert [arm.problem.moves for arm in auto.arms_of(schur)] == ["all", "repeat"]
    biased = with_bias(schur, np.zeros(schur.codes))
    assert [arm.problem for arm in auto.arms_of(biased)] == [biased]


def test_one_option_of_two_is_given():
    """The other one is chosen; for all moves, too, while windows are missed."""
    costs, windows = [[0, 1, 9], [9, 0, 1], [1, 9, 0]], [[0, 9]] * 3
    chosen = {"moves": "all", "bias_rule": "neighbours"}
    assert chosen.items() <= nrpa.TSPTW(costs, windows, moves="all").hints().arms[0].options.items()
    rules = [(each.moves, each.bias_rule) for each in nrpa.TSPTW(costs, windows, bias_rule="range").hints().arms]
    assert rules == [("lookahead", "range"), ("all", "range")]


def test_all_moves_are_tried_while_windows_are_missed():
    """The look-ahead rule leaves out the best tour, where none keeps all windows; two are missed, not for 79.6."""
    costs = [[0, 29.4, 28.8], [21.7, 0, 8.3], [4.8, 29.1, 0]]
    problem = nrpa.TSPTW(costs, [[0, 50], [46.6, 47.2], [36.8, 43.2]])
    result = nrpa.solve(problem, seed=1, playouts=1200)
    assert result.figures == {"cost": pytest.approx(42.5), "violations": 2}
    assert "gnrpa, improved --moves all" in result.chosen


def test_all_moves_have_no_turn_once_windows_are_kept():
    """From the first turn on, or after some."""
    problem = nrpa.TSPTW.load("rc201.1")
    search = nrpa.Auto().start(problem, 1)
    search.advance(400)
    assert [each.playouts for each in search.searches] == [400, 0]
    late = nrpa.Auto().start(problem, 1)
    late.searches[0].memory.best.score[0] = -2e6
    late.searches[0].memory.best.found[0] = True
    assert late._needless == [False, False]
    late.searches[0].memory.best.score[0] = -999.0
    assert late._needless == [False, True]


def test_a_tour_that_misses_windows_is_a_start():
    """Also one that is legal only if all moves are; it is the best from the beginning."""
    problem = nrpa.TSPTW.load("rc201.1")
    tour = list(range(problem.cities - 1, 0, -1))
    with pytest.raises(nrpa.InputError, match="is not a legal move"):
        nrpa.start(problem, nrpa.GNRPA(level=1), warm_start=tour)
    for start in (tour, tuple(tour), range(problem.cities - 1, 0, -1), np.array(tour)):
        run = nrpa.start(problem, nrpa.Auto(), seed=1, warm_start=start)
        assert run.solution == tour
        assert run._search.score == problem.check(tour).score
    begun = [search.memory.best.found[0] for search in run._search.searches]
    assert begun == [False, True]


def test_a_start_that_no_arm_takes_is_to_be_beaten():
    """It is legal in the problem itself."""

    class Ahead(nrpa.TSPTW):
        def hints(self):
            return nrpa.Hints(arms=(nrpa.TSPTW(self.distances, self.windows, moves="lookahead"),))

    problem = Ahead([[0, 9, 1], [1, 0, 1], [1, 1, 0]], [[0, 99], [0, 9], [0, 5]], moves="all")
    run = nrpa.start(problem, nrpa.Auto(), seed=1, warm_start=[1, 2])
    assert run.solution == [1, 2]
    run.advance(playouts=1)
    assert run.result().solution == [2, 1]
    with pytest.raises(nrpa.InputError, match="city 2 is missing"):
        nrpa.start(problem, nrpa.Auto(), warm_start=[1])


SMALLER = {
    "binpacking": lambda: nrpa.BinPacking(10, [6, 5, 4, 3]),
    "cvrp": lambda: nrpa.CVRP([[0, 2, 3, 4], [2, 0, 1, 5], [3, 1, 0, 2], [4, 5, 2, 0]], [0, 1, 1, 1], 2),
    "vrptw": lambda: random_problem(1),
}


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_solutions_of_other_solvers_are_starts(name):
    """Of every bundled problem, in plain Python, so that nothing is compiled."""
    if name in ("fold", "rna"):
        pytest.importorskip("RNA")
    with nrpa.debug():
        problem = SMALLER[name]() if name in SMALLER else made(name)
        first = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1)
        again = nrpa.solve(problem, nrpa.Auto(), seed=2, playouts=1, warm_start=first)
        assert again.score >= first.score


@pytest.mark.parametrize("options", [{}, {"moves": "all"}, {"moves": "selective", "bias_rule": "range"}])
def test_it_goes_on_elsewhere(tmp_path, monkeypatch, options):
    """Pickled, by several workers, and from a checkpoint, the search stays the one of the tuned problem."""
    monkeypatch.chdir(tmp_path)
    problem = nrpa.TSPTW.load("rc201.1", **options)
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


@pytest.mark.parametrize(("n", "first"), [(100, "gnrpa"), (3000, "tempering by moves")])
def test_long_orders_are_not_listed(n, first):
    """A game of GNRPA lists n²/2 moves: of many, it is no arm."""
    arms = nrpa.Auto().arms_of(nrpa.permutation(n, sum), has_codes=False)
    assert arms[0].label == first
    assert arms[-1].label == "tempering by moves, ten chains"


def test_weights_serve_an_arm_with_the_codes_of_the_problem():
    """From 100 cities on, the first arm of tours has others."""
    problem = nrpa.TSPTW.load("rbg125a")
    assert [arm.problem.near for arm in nrpa.Auto().arms_of(problem)] == [True, False, False]
    assert [arm.problem.codes for arm in nrpa.Auto().arms_of(problem, has_weights=True)] == [problem.codes]


ANNEALING = nrpa.Tempering(chains=1, anneals=True)


@pytest.mark.parametrize(
    "given",
    [
        "tempering --chains 1 --anneals,gnrpa --level auto",
        "tempering --anneals --chains=1, gnrpa --level=auto --no-improve --iterations 100",
        [ANNEALING, nrpa.GNRPA(level=None)],
        (ANNEALING, "gnrpa --level auto"),
    ],
)
def test_arms_are_given(given):
    """As a text or as a list; policies have their turns before tempering, whose first search stays."""
    auto = nrpa.Auto(arms=given)
    assert auto == nrpa.Auto(arms="tempering --chains 1 --anneals, gnrpa --level auto")
    assert auto.options["arms"] == "tempering --chains 1 --anneals, gnrpa --level auto"
    arms = auto.arms_of(Bits())
    assert [(arm.solver, arm.stays) for arm in arms] == [(nrpa.GNRPA(level=None), False), (ANNEALING, True)]
    result = nrpa.solve(Bits(), auto, seed=1, playouts=300)
    assert result.chosen.startswith("auto: tempering --chains 1 --anneals ")
    assert pickle.loads(pickle.dumps(auto)) == auto


def test_arms_of_one_kind_are_dropped_by_their_scores():
    """None of them stays; one alone is that search."""
    for given in ([nrpa.GNRPA(level=1), nrpa.NRPA(level=2)], [nrpa.Tempering(), ANNEALING]):
        arms = nrpa.Auto(arms=given).arms_of(Bits())
        assert [(arm.solver, arm.stays) for arm in arms] == [(each, False) for each in given]
    alone, gnrpa = (solver.start(Bits(), 1) for solver in (nrpa.Auto(arms="gnrpa --level 2"), nrpa.GNRPA(level=2)))
    for _ in range(100):
        alone.advance(1)
        gnrpa.advance(1)
        assert alone.last_score == gnrpa.last_score
    assert alone.chosen == "auto: gnrpa --level 2: it was given"
    levels = nrpa.GNRPA(level=2, iterations=(30, 20))
    assert nrpa.Auto(arms=[levels]) == nrpa.Auto(arms="gnrpa --level 2 --iterations 30,20")
    assert nrpa.Auto(arms=[levels]).arms_of(Bits())[0].solver == levels


def test_arms_search_the_form_that_suits_the_problem():
    """That of the first arm of `auto`; weights go to policies alone."""
    problem = nrpa.TSPTW.load("rc201.1")
    assert [arm.problem for arm in nrpa.Auto(arms="gnrpa").arms_of(problem)] == [
        nrpa.Auto().arms_of(problem)[0].problem
    ]
    weights = np.zeros(problem.codes)
    nrpa.solve(problem, nrpa.Auto(arms="gnrpa, nrpa"), seed=1, playouts=30, weights=weights)
    with pytest.raises(nrpa.InputError, match="initial weights do not apply to the solver tempering"):
        nrpa.solve(problem, nrpa.Auto(arms="gnrpa, tempering"), seed=1, playouts=30, weights=weights)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nmcs", "arms must be some of gnrpa, nrpa, tempering, with commas between, not 'nmcs'"),
        ("gnrpa, ", "arms must be some of gnrpa, nrpa, tempering, with commas between, not ''"),
        ([], "arms must be some of gnrpa, nrpa, tempering, with commas between, not ''"),
        ([nrpa.NMCS()], "arms must be some of .*, not 'NMCS"),
        (3, "arms must be a text or a list of solvers, not 3"),
        ("gnrpa, gnrpa --level 3", "arms must differ, but 'gnrpa' is there 2 times"),
        ("gnrpa --levels 3", "arms, gnrpa: unknown option 'levels'; expected one of adapt, alpha, "),
        ("gnrpa --level x", "arms, gnrpa: level must be a number or auto, not 'x'"),
        ("tempering 3", "arms, tempering: expected an option, as in --level 3, found '3'"),
    ],
)
def test_arms_that_cannot_be(given, message):
    """One sentence says what was expected."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.Auto(arms=given)
