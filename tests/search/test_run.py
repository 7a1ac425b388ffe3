import logging
import math
import os
import signal
import subprocess
import sys
import threading
from itertools import pairwise

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.search.curve import CLOCKS
from nrpa.search.limits import reachable_score

SOLVER = nrpa.GNRPA(level=2, iterations=20, tau=1.4)


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


def test_playout_budget_is_exact(problem):
    """And the result says what was done."""
    result = nrpa.solve(problem, SOLVER, seed=1, playouts=1234)
    assert (result.status, result.playouts) == ("playouts", 1234)
    assert (result.problem, result.instance, result.solver, result.seed) == ("tsptw", "rc201.1", "gnrpa", 1)
    rule = {"moves": "selective", "near": False, "bias_rule": "range", "bias_scale": 1.0}
    own = {"minimize": "travel", "rounding": "exact", **rule}
    assert result.options == {**SOLVER.options, **own}
    assert result.score == -(result.cost + 1e6 * result.violations)
    assert problem.check(result.solution).figures["cost"] == result.cost


def test_curve_and_improvements(problem):
    """A point at each power of two of playouts; improvements strictly better each time, the last one the result."""
    result = nrpa.solve(problem, SOLVER, seed=1, playouts=1000)
    playouts = [point.playouts for point in result.curve]
    assert {2**k for k in range(10)} <= set(playouts)
    assert playouts == sorted(playouts)
    scores = [point.score for point in result.improvements]
    assert all(a < b for a, b in pairwise(scores))
    assert scores[-1] == result.score
    assert result.improvements[0].playouts == 1


def test_time_marks(problem):
    """A run of 0.1 s passes the marks 0.01, 0.02, 0.04 and 0.08."""
    result = nrpa.solve(problem, SOLVER, seed=1, time=0.1)
    assert result.status == "time"
    assert result.seconds >= 0.1
    assert {0.01, 0.02, 0.04, 0.08} <= {point.seconds for point in result.curve}


def test_target_in_the_problems_own_terms(problem):
    """The search stops at the first solution of that cost or less."""
    result = nrpa.solve(problem, SOLVER, seed=1, target=444.6, playouts=2_000_000)
    assert result.status == "target"
    assert result.cost == pytest.approx(444.54, abs=0.005)


def test_no_improvement(problem):
    """Stops exactly so many playouts after the last improvement, and a criterion serves twice."""
    stop = nrpa.NoImprovement(playouts=500)
    first = nrpa.solve(problem, SOLVER, seed=1, stop=stop)
    second = nrpa.solve(problem, SOLVER, seed=1, stop=[stop])
    assert first.status == second.status == "no-improvement"
    assert first.playouts == second.playouts == first.improvements[-1].playouts + 500


def test_default_limit_is_logged(problem, caplog):
    """Without any limit the library says how long it will search."""
    caplog.set_level(logging.INFO, "nrpa")

    class EnoughError(Exception):
        pass

    def enough(run):
        raise EnoughError

    with pytest.raises(EnoughError):
        nrpa.solve(problem, SOLVER, seed=1, on_slice=enough)
    assert "no limit given: searching for 10.24 seconds" in caplog.text


def test_callbacks_see_the_run(problem):
    """Each improvement is shown once, with its solution; slices at least as often."""
    seen, slices = [], []
    result = nrpa.solve(
        problem,
        SOLVER,
        seed=1,
        playouts=1000,
        on_improvement=lambda run: seen.append((run.value, run.solution)),
        on_slice=lambda run: slices.append(run.progress.playouts),
    )
    assert len(seen) == len(result.improvements)
    assert seen[-1] == (-result.score, result.solution)
    assert slices[-1] == 1000


@pytest.mark.parametrize("name", ["on_improvement", "on_slice"])
def test_a_callback_stops_the_search(problem, name):
    """By True; the search can go on."""
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)
    assert run.advance(playouts=10**9, time=60, **{name: lambda run: run.progress.playouts > 0}) == "callback"
    done = run.progress.playouts
    assert run.result().status == "callback"
    assert run.advance(playouts=500, **{name: lambda run: None}) == "playouts"
    assert run.progress.playouts == done + 500


def test_a_run_says_how_far_it_has_come(problem):
    """At the prompt."""
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=3)
    assert repr(run).endswith("seed 3: 0 playouts, not begun>")
    run.advance(playouts=1e3)
    assert f"{run.progress.playouts:,} playouts, best {problem.objective.text(run.value)}>" in repr(run)
    assert run.progress.playouts == 1000


def test_a_proved_bound_stops_the_search(problem):
    """With status optimal, which a target alone never gives."""

    class Bounded(nrpa.TSPTW):
        def bound(self):
            return 444.54267144

    bounded = Bounded(problem.distances, problem.windows)
    assert nrpa.solve(bounded, SOLVER, seed=1, target=444.55, playouts=2_000_000).status == "optimal"


def test_ctrl_c_returns_the_best_so_far(problem):
    """One interrupt ends the search with its result; Python's own handler is back afterwards."""
    before = signal.getsignal(signal.SIGINT)

    def press(run):
        if run.progress.playouts > 100 and not pressed:
            pressed.append(True)
            os.kill(os.getpid(), signal.SIGINT)

    pressed = []
    result = nrpa.solve(problem, SOLVER, seed=1, playouts=10**9, on_slice=press)
    assert result.status == "interrupted"
    assert problem.check(result.solution).figures["cost"] == result.cost
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_raises(problem):
    """As KeyboardInterrupt, at once."""

    def press(run):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        nrpa.solve(problem, SOLVER, seed=1, playouts=10**9, on_slice=press)


class Failing(Bits):
    """Bits of which a move cannot be made, once, after so many others."""

    steps, left = 60, math.inf

    def play(self, state, move):
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("no such move")
        return super().play(state, move)


@pytest.mark.parametrize("solver", [nrpa.GNRPA(level=2), nrpa.NMCS(level=2), nrpa.Tempering(), nrpa.Auto()])
def test_what_was_found_before_an_exception_is_the_result(solver):
    """Though the slice in which it was found has failed; another search may go on."""
    for left in range(3000, 60000, 6000):
        problem = Failing()
        run = nrpa.start(problem, solver, seed=1)
        problem.left = left
        with pytest.raises(RuntimeError, match="no such move"):
            run.advance(playouts=3000)
        result = run.result()
        assert result.improvements[-1].score == result.score == problem.check(result.solution).score
        run.advance(playouts=10)
        assert run.result().score >= result.score


def test_other_threads_may_solve(problem):
    """Where Python takes no signals the search runs all the same, and gives the same result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(nrpa.solve(problem, SOLVER, seed=1, playouts=500)))
    thread.start()
    thread.join()
    assert results[0].score == nrpa.solve(problem, SOLVER, seed=1, playouts=500).score


RUN = """
import nrpa
result = nrpa.solve(nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA(tau=1.4), seed=7, playouts=20000)
print(result.score.hex(), result.solution, [(p.playouts, p.score.hex()) for p in result.improvements])
"""


def test_same_seed_same_result_in_two_processes():
    """Bit for bit: score, solution and every improvement."""
    first, second = (
        subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=False) for _ in range(2)
    )
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout


def test_an_unset_seed_is_drawn_and_told(problem):
    """The drawn seed reproduces the run."""
    drawn = nrpa.solve(problem, SOLVER, playouts=300)
    again = nrpa.solve(problem, SOLVER, seed=drawn.seed, playouts=300)
    assert drawn.solution == again.solution


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_a_seed_out_of_range(problem, seed):
    """Seeds are whole numbers from 0."""
    with pytest.raises(nrpa.InputError, match="seed must be a whole number"):
        nrpa.solve(problem, SOLVER, seed=seed, playouts=1)


def test_arrays_without_a_file():
    """A problem made of arrays solves, and its hash tells one from another."""
    problem = nrpa.TSPTW([[0, 1, 9], [9, 0, 1], [1, 9, 0]], [[0, 50]] * 3)
    result = nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=50)
    assert (result.solution, result.cost) == ([1, 2], 3.0)
    assert problem.sha256 != nrpa.TSPTW([[0, 1], [1, 0]], [[0, 50]] * 2).sha256


def test_a_thousand_cities():
    """Far beyond the bundled sizes, in the same code."""
    from naive_tsptw import random_instance

    problem = nrpa.TSPTW(*random_instance(1000, seed=1))
    result = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=20)
    assert sorted(result.solution) == list(range(1, 1000))


def test_importing_is_light():
    """`import nrpa` brings in neither matplotlib nor numba."""
    script = "import sys, nrpa; print([m for m in ('matplotlib', 'numba', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stdout == "[]\n"


def test_solving_does_not_import_matplotlib():
    """Nor does a run without a plot."""
    script = "import sys, nrpa; nrpa.solve(nrpa.TSPTW.load('rc201.1'), playouts=5); print('matplotlib' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stdout == "False\n"
    )


def test_a_checkout_that_is_not_installed(tmp_path):
    """Has no version, which costs no result."""
    script = """
import importlib.metadata as metadata
real = metadata.version
def version(name):
    if name == "nrpa":
        raise metadata.PackageNotFoundError(name)
    return real(name)
metadata.version = version
from nrpa.base.installed import versions
print(versions()["nrpa"])
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert found.stdout == "0+unknown\n"


def test_the_clock_stands_still_while_the_first_best_is_examined():
    """A check that takes long is no part of the search's seconds, but of those of preparing."""
    now = [0.0]

    class Slow(Bits):
        def check(self, solution):
            now[0] += 1000.0
            return super().check(solution)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CLOCKS, "wall", lambda: now[0])
        for module in ("run", "solve"):
            patch.setattr(f"nrpa.search.{module}.perf_counter", lambda: now[0])
        result = nrpa.solve(Slow(), seed=1, playouts=3)
    assert (result.seconds, result.setup_seconds) == (0.0, 1000.0)


def test_verbose_shows_the_bests_on_standard_error(problem, capsys):
    """The last of them surely, and callbacks are called as without it; the result is the same."""
    seen = []
    quiet = nrpa.solve(problem, SOLVER, seed=1, playouts=1000)
    assert capsys.readouterr() == ("", "")
    found = nrpa.solve(problem, SOLVER, seed=1, playouts=1000, on_improvement=seen.append, verbose=True)
    out, err = capsys.readouterr()
    header, *rows = err.splitlines()
    assert (out, header.split()[:3]) == ("", ["seconds", "playouts", "cost"])
    assert rows[-1].split()[1:3] == [f"{found.improvements[-1].playouts:,}", f"{found.value:.2f}"]
    assert len(seen) == len(found.improvements)
    assert (found.score, found.solution) == (quiet.score, quiet.solution)


@pytest.mark.parametrize("name", ["on_improvement", "on_slice"])
def test_a_callback_may_answer_with_a_bool_of_numpy(problem, name):
    """As a comparison of its numbers gives one: true ends the search, false does not."""
    run = nrpa.start(problem, nrpa.GNRPA(level=2), seed=1)
    assert (
        run.advance(playouts=10**9, time=60, **{name: lambda run: np.float64(run.progress.playouts) > 0}) == "callback"
    )
    assert run.advance(playouts=10, **{name: lambda run: np.float64(run.progress.playouts) < 0}) == "playouts"


@pytest.mark.parametrize("answer", [1, 0, "stop", np.array([True]), []])
def test_a_callback_that_answers_anything_else_is_refused(problem, answer):
    """So that nobody wonders why a search goes on."""
    run = nrpa.start(problem, nrpa.GNRPA(level=2), seed=1)
    with pytest.raises(nrpa.InputError, match=r"a callback returned .*; expected True to end the search"):
        run.advance(playouts=10, on_slice=lambda run: answer)


def test_a_callback_stops_a_verbose_search(problem):
    """What it returns counts still."""
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)
    assert run.advance(playouts=10**9, time=60, on_slice=lambda run: True, verbose=True) == "callback"


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


def test_a_packing_is_built_with_as_many_bins_or_fewer():
    """Where it leaves room for an item that is in a later bin; with moves="all", as it stands."""
    packed = nrpa.start(nrpa.BinPacking(10, [3, 3, 3, 1]), nrpa.NRPA(), seed=1, warm_start=[[3, 3, 3], [1]])
    assert -2 < packed._search.score <= -1
    problem = nrpa.BinPacking(10, [6, 4, 3, 3, 4], moves="all")
    run = nrpa.start(problem, nrpa.NRPA(), seed=1, warm_start=[[4, 4], [3, 6], [3]])
    assert run._search.score == pytest.approx(-3 - 0.5 * (1 - (0.64 + 0.81 + 0.09) / 3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tsptw",), r"expected a problem such as nrpa.TSPTW.load\('rc204.1'\), not 'tsptw'"),
        ((Bits(), "gnarp"), r"unknown solver 'gnarp'; expected one of gnrpa, nrpa, .*auto, .*; did you mean gnrpa"),
        ((Bits(), 3), r"expected a solver such as nrpa.GNRPA\(\), or its name, not 3"),
        ((Bits,), r"Bits is a class; expected an instance of it, Bits\(...\)"),
        ((Bits(), nrpa.NRPA), r"NRPA is a class; expected an instance of it, NRPA\(...\)"),
    ],
)
def test_what_is_no_problem_and_no_solver(arguments, message):
    """Said before anything else happens."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.solve(*arguments, playouts=1)


@pytest.mark.parametrize(
    ("given", "limits", "name"),
    [(("mcps",), {}, "mcps"), ((nrpa.NMCS(level=1),), {}, "nmcs"), ((), {}, "auto"), ((), {"searches": 1}, "gnrpa")],
)
def test_a_solver_may_be_named_or_left_out(given, limits, name):
    """It is auto then, or GNRPA where top-level searches are counted, which auto does not end."""
    assert nrpa.solve(Bits(), *given, seed=1, playouts=10, **limits).solver == name


def test_what_is_no_problem_cannot_be_checked():
    """Neither a name nor a class."""
    with pytest.raises(nrpa.InputError, match="expected a problem such as"):
        nrpa.check_problem("tsptw")
    with pytest.raises(nrpa.InputError, match="Bits is a class"):
        nrpa.check_problem(Bits)


@pytest.mark.parametrize(
    ("solver", "remedy"),
    [
        (nrpa.NRPA(level=1), r"nrpa ignores it; use nrpa.GNRPA\(\)"),
        (nrpa.GNRPA(level=1, bias=False), r"gnrpa ignores it; expected GNRPA\(bias=True\)"),
        (nrpa.NMCS(level=1), r"nmcs ignores it; expected NMCS\(bias=True\)"),
        (nrpa.RandomSampling(), r"random ignores it; expected RandomSampling\(bias=True\)"),
    ],
)
def test_a_bias_that_the_solver_ignores_is_refused(solver, remedy):
    """Naming the solver, and what uses it."""
    with pytest.raises(nrpa.InputError, match=f"bias was given, but the solver {remedy}"):
        nrpa.solve(Bits(), solver, seed=1, playouts=1, bias=lambda state, move: 1.0)


@pytest.mark.parametrize(
    "solver", [nrpa.GNRPA(level=1), nrpa.NMCS(level=1, bias=True), nrpa.RandomSampling(bias=True), nrpa.Greedy()]
)
def test_a_bias_that_the_solver_uses(solver):
    """A strong one decides, but for the first move of NMCS, which tries all."""
    result = nrpa.solve(Bits(), solver, seed=1, playouts=1, bias=lambda state, move: 40.0 * move)
    assert result.score >= 9


@pytest.mark.parametrize("problem", [nrpa.TSPTW.load("rc201.1"), nrpa.Pancakes([3, 1, 2])], ids=["tsptw", "pancake"])
def test_a_target_of_the_wrong_sign(problem):
    """A score in place of a cost; it could never be reached."""
    run = nrpa.start(problem, nrpa.RandomSampling(), seed=1)
    with pytest.raises(nrpa.InputError, match=r"is never negative, and the target is -5; expected a \w+, not a score"):
        run.advance(target=-5)


@pytest.mark.parametrize(("sign", "bound", "target"), [(1, 10, 12), (-1, 3.0, 2.5), (-1, -8, -9), (1, -2, 0)])
def test_a_target_beyond_the_bound(sign, bound, target):
    """It is never reached; the bound itself, and negative figures, are targets."""
    bounded = type("Bounded", (Bits,), {"objective": nrpa.Objective("worth", sign=sign), "bound": lambda self: bound})()
    assert reachable_score(bounded, bound) == sign * bound
    assert reachable_score(bounded, bound - 20 * sign) == sign * bound - 20
    with pytest.raises(nrpa.InputError, match=rf"no worth of \w+ is better than .*; the target {target} is never"):
        reachable_score(bounded, target)


def test_the_same_moves_are_checked_once():
    """The first best, where no better one follows."""
    checked = []

    class Slow(Bits):
        def check(self, solution):
            checked.append(solution)
            return super().check(solution)

    nrpa.solve(Slow(), seed=1, playouts=1)
    assert len(checked) == 1
