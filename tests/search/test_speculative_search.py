"""One search, spread: the same result whatever the number of workers, the engine, the slices and the order."""

import pickle
import random

import numpy as np
import pytest
from bundled_problems import ONE_PLAYER
from executors import Inline, LosingOnce, Shuffled
from naive_nrpa import NaiveByNode
from naive_tsptw import NaiveTSPTW
from small_problems import PLAIN, made
from walk import Failing, Walk

import nrpa
from nrpa.search.crew import piece
from nrpa.search.speculative_search import task_level
from nrpa.solvers import nrpa_search

GNRPA = nrpa.GNRPA(level=3, iterations=6)


# Those that one playout does not solve.
HARDER = {
    "rna": lambda: nrpa.InverseFolding.load("eterna-v1-66"),
    "fold": lambda: nrpa.Folding.load("trna-phe", pseudoknots=True),
    "schur": lambda: nrpa.WeakSchur(6),
}


def course(run):
    """Return all that must be the same."""
    result = run.result()
    points = [point[1:] for point in result.improvements]
    curve = sorted({point[1:] for point in result.curve if point.playouts.bit_count() == 1})
    return result.playouts, run.progress.searches, result.score, result.solution, points, curve


def trace(problem, solver, workers, executor=None, slices=(300,), seed=3, **given):
    run = nrpa.start(problem, solver, seed=seed, workers=workers, executor=executor, parallel="speculate", **given)
    for playouts in slices:
        run.advance(playouts=playouts)
    run.close()
    return course(run)


@pytest.mark.parametrize("name", [*ONE_PLAYER, *PLAIN])
def test_any_number_of_workers_gives_one_result(name):
    """Of every problem, with 1, 2, 3 and 5 workers that end in a random order."""
    solver = nrpa.GNRPA(level=3, iterations=4)
    make = HARDER.get(name, lambda: made(name))
    expected = trace(make(), solver, 1, slices=(150,))
    assert expected[0] == 150
    for workers in (2, 3, 5):
        with Shuffled(workers) as executor:
            assert trace(make(), solver, workers, executor, (1, 60, 89)) == expected


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.NRPA(level=1, iterations=20),
        nrpa.GNRPA(level=2, iterations=12, tau=1.4),
        nrpa.GNRPA(level=4, iterations=4),
        nrpa.GNRPA(level=3, iterations=12, repetitions=2, alpha=2),
        nrpa.NRPA(level=3, iterations=6, adapt="plain"),
    ],
    ids=["1", "2", "4", "repetitions", "plain"],
)
def test_agrees_with_a_naive_search_whose_nodes_have_streams(solver):
    """Every playout of one worker, and what three find, are those of a recursion with a stream for each node."""
    problem = nrpa.TSPTW.load("rc203.4")
    options = {"tau": 1.0, "bias": False, **solver.options}
    plain = NaiveTSPTW(problem.distances.tolist(), problem.windows.tolist(), use_bias=options.pop("bias"))
    del options["adapt"]
    oracle = NaiveByNode(plain, **options, seed=3, playouts=600).run()
    search, scores = solver.start(problem, 3, by_node=True), []
    for _ in range(600):
        search.advance(1)
        scores.append(search.last_score)
    assert scores == pytest.approx(oracle.scores, rel=1e-12)
    best = np.maximum.accumulate(oracle.scores)
    new = [0, *(k for k in range(1, 600) if best[k] > best[k - 1])]
    for executor in (None, Shuffled(1)):
        run = nrpa.start(problem, solver, seed=3, workers=3, executor=executor, parallel="speculate")
        run.advance(playouts=600)
        found = run.result().improvements
        assert [point.playouts for point in found] == [k + 1 for k in new]
        assert [point.score for point in found] == pytest.approx([best[k] for k in new], rel=1e-12)
        assert [int(city) for city in run.solution] == oracle.best[1]
        run.close()


def test_plain_python_in_processes():
    """Processes of this machine find what calls in this one do."""
    expected = trace(Walk(), GNRPA, 1)
    assert trace(Walk(), GNRPA, 2, slices=(100, 200)) == expected


def test_all_machine_code_is_there_before_the_clock_starts(monkeypatch):
    """Nothing is loaded or compiled while the search goes on."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), GNRPA, seed=3, workers=2, executor=Inline(), parallel="speculate")
    monkeypatch.setattr(nrpa_search, "load", None)
    run.advance(playouts=300)
    assert run.kept_share < 1.0


def test_a_search_whose_nodes_have_streams_is_another_one():
    """One worker without speculation keeps the one stream that a seed has always meant."""
    problem = nrpa.TSPTW.load("rc201.1")
    result = nrpa.solve(problem, GNRPA, seed=3, playouts=300)
    other = nrpa.solve(problem, GNRPA, seed=3, playouts=300, parallel="speculate")
    assert (result.parallel, other.parallel) == ("searches", "speculate")
    assert result.improvements[-1].playouts != other.improvements[-1].playouts


@pytest.mark.parametrize("instance", [nrpa.TSPTW.load("rc201.1"), nrpa.SameGame.load("samegame-01")])
def test_order_engine_and_slices_do_not_matter(instance):
    """Threads, calls one at a time, the latest first, some lost, in random slices: two dozen ways, one result."""
    solver = nrpa.GNRPA(level=4, iterations=4, tau=1.4)
    expected = trace(instance, solver, 1, slices=(700,))
    dice = random.Random(1)
    for way in range(24):
        cuts = sorted(dice.sample(range(1, 700), dice.randrange(4)))
        slices = np.diff([0, *cuts, 700]).tolist()
        executor = [None, Inline(), LosingOnce(), Shuffled(), Shuffled(way), Shuffled(-way)][way % 6]
        assert trace(instance, solver, dice.randrange(1, 9), executor, slices) == expected, (way, slices)


def test_levels_that_end_early_do_not_matter():
    """With limited repetitions, two stages can lead to the same place; the wrong one is dropped, the other stays."""
    problem = nrpa.TSPTW.load("rc201.1")
    for seed in range(12):
        solver = nrpa.GNRPA(level=2 + seed % 2, iterations=7, repetitions=1, alpha=3.0, tau=0.5)
        expected = trace(problem, solver, 1, seed=seed)
        for executor in (Shuffled(), Shuffled(seed)):
            assert trace(problem, solver, 8, executor, seed=seed) == expected, seed


def test_what_a_task_finds_depends_on_nothing_before_it():
    """Two pasts may lead to one place; the task begun from the wrong one must not keep back what is no best there."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), nrpa.GNRPA(level=2, iterations=7)
    search = solver.start(problem, 3, by_node=True)
    first = piece(search, 1, 100)
    assert first.has_ended
    assert not search.memory.best.found[0]
    assert [each.playouts for each in piece(search, 1, 1).found] == [1]
    assert not search.guessed(search.memory, 1).best.found[0]
    alone = solver.start(problem, 3, by_node=True)
    alone.advance(first.playouts)
    assert not alone.advance(1)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_limits_apply_to_the_search_of_one_worker(workers):
    """A target ends at its playout, searches at the end of the last one, and both go on from there."""
    problem = nrpa.TSPTW.load("rc201.1")
    whole = nrpa.start(problem, GNRPA, seed=3, parallel="speculate")
    whole.advance(playouts=900)
    points = whole.result().improvements
    target = problem.objective.value(points[len(points) * 2 // 3].score)
    run = nrpa.start(problem, GNRPA, seed=3, workers=workers, parallel="speculate")
    assert run.advance(target=target) == "target"
    assert run.progress.playouts == points[len(points) * 2 // 3].playouts
    assert run.advance(searches=3) == "searches"
    assert (run.progress.searches, run.progress.playouts) == (3, 3 * 216)
    run.advance(playouts=900 - run.progress.playouts)
    run.close()
    assert course(run)[:5] == course(whole)[:5]


def test_warm_start_and_weights():
    """They begin the search of any number of workers."""
    problem = nrpa.TSPTW.load("rc201.1")
    warm = nrpa.solve(problem, GNRPA, seed=1, playouts=500)
    weights = np.linspace(-1, 1, problem.codes)
    expected = trace(problem, GNRPA, 1, warm_start=warm, weights=weights, slices=(500,))
    assert expected[2] >= warm.score
    assert trace(problem, GNRPA, 3, warm_start=warm, weights=weights, slices=(500,)) == expected


def test_a_pickled_search_goes_on():
    """In the middle of a task, with as many workers as before; and one that was closed goes on as well."""
    problem = nrpa.TSPTW.load("rc201.1")
    run = nrpa.start(problem, GNRPA, seed=3, workers=3, parallel="speculate")
    run.advance(playouts=131)
    again = pickle.loads(pickle.dumps(run._search))
    assert (again.workers, again.playouts, again.score) == (3, 131, run.progress.score)
    run.close()
    run.advance(playouts=300)
    again.advance(300)
    assert (again.score, again.moves.tolist()) == (run.progress.score, run._search.moves.tolist())
    again.close()
    run.close()


def test_the_share_that_is_kept():
    """One worker drops nothing; of several, all searches that were dropped count."""
    problem = nrpa.TSPTW.load("rc201.1")
    shares = []
    for workers in (1, 4):
        result = nrpa.solve(
            problem, GNRPA, seed=3, workers=workers, playouts=432, parallel="speculate", executor=Inline()
        )
        assert nrpa.Result.from_json(result.to_json()) == result
        shares.append(result.kept_share)
    assert shares[0] == 1.0
    assert 0.1 < shares[1] < 1.0


def test_an_error_counts_where_one_worker_would_meet_it():
    """After the same playouts, however many are under way; and what fails on a wrong guess is as if it had not been."""
    ends = []
    for workers in (1, 2, 5):
        run = nrpa.start(
            Failing(),
            nrpa.NRPA(level=3, iterations=3),
            seed=1,
            workers=workers,
            executor=Inline(),
            parallel="speculate",
        )
        with pytest.raises(LookupError, match="in score"):
            run.advance(playouts=1000)
        ends.append(run._search.playouts)
        run.close()
    assert len(set(ends)) == 1


def test_what_cannot_be_spread_is_refused():
    """Another solver, another word, an executor that takes no work."""
    problem = nrpa.TSPTW.load("rc201.1")
    with pytest.raises(
        nrpa.InputError,
        match=r"only searches of gnrpa and nrpa can be spread .* not those of nmcs",
    ):
        nrpa.start(problem, nrpa.NMCS(), parallel="speculate")
    with pytest.raises(nrpa.InputError, match="parallel must be one of searches, speculate, not 'threads'"):
        nrpa.start(problem, parallel="threads")
    pool = Shuffled()
    pool.submit = lambda *_: (_ for _ in ()).throw(RuntimeError("cannot schedule new futures after shutdown"))
    with pytest.raises(nrpa.InputError, match="the executor takes no work"):
        nrpa.start(problem, GNRPA, workers=2, executor=pool, parallel="speculate")


def test_tasks_are_neither_tiny_nor_long():
    """Two levels below the top where that is between 100 and 10,000 playouts, and below the top wherever possible."""
    for level in range(1, 8):
        for iterations in (1, 2, 7, 10, 40, 100, 1000, 10**6):
            task = task_level(nrpa.GNRPA(level=level, iterations=iterations))
            assert 1 <= task <= max(1, level - 1)
            assert task == 1 or iterations**task <= 10_000
