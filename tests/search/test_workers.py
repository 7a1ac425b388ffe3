"""Workers: the same result whatever the engine, the slices and the timing."""

import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from executors import Dying, Inline
from user_problems import Bits, Numbers
from walk import Failing, Walk, trace

import nrpa
from nrpa.search.workers import cores, number_of_workers

SOLVERS = {
    "gnrpa": nrpa.GNRPA(level=2, iterations=8),
    "nmcs": nrpa.NMCS(level=2),
    "random": nrpa.RandomSampling(),
}


@pytest.mark.parametrize("workers", [2, 3, 5])
@pytest.mark.parametrize("solver", SOLVERS)
def test_threads_executors_and_slices_give_one_result(solver, workers):
    """Threads, slices as bytes, odd slices, and an executor that loses every other slice."""
    problem = nrpa.TSPTW.load("rc201.1")
    expected = trace(problem, SOLVERS[solver], workers)
    assert expected[0] == 300
    assert trace(problem, SOLVERS[solver], workers, slices=(1, 2, 97, 200)) == expected
    assert trace(problem, SOLVERS[solver], workers, Inline()) == expected
    assert trace(problem, SOLVERS[solver], workers, Dying(), slices=(150, 150)) == expected
    with ThreadPoolExecutor(2) as pool:
        assert trace(problem, SOLVERS[solver], workers, pool) == expected


@pytest.mark.parametrize("solver", SOLVERS)
def test_plain_python_in_processes(solver):
    """Processes of this machine, an executor of the caller's and one in this thread agree."""
    problem = Walk()
    expected = trace(problem, SOLVERS[solver], 2, Inline())
    with ProcessPoolExecutor(2) as pool:
        assert trace(problem, SOLVERS[solver], 2, pool, slices=(100, 200)) == expected
    assert trace(problem, SOLVERS[solver], 2) == expected


def test_one_worker_is_the_search_of_the_seed():
    """With an executor as well; the seed's own stream, not a spawned one."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), SOLVERS["gnrpa"]
    assert trace(problem, solver, 1, Inline()) == trace(problem, solver, 1)


def test_the_best_of_the_workers_is_that_of_their_searches():
    """Each worker's search is that of its stream, and the whole is as good as the best of them."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), SOLVERS["gnrpa"]
    alone = [solver.start(problem, stream) for stream in np.random.SeedSequence(3).spawn(3)]
    for search in alone:
        search.advance(100)
    assert trace(problem, solver, 3)[1] == max(search.score for search in alone)


@pytest.mark.parametrize("executor", [None, Inline()], ids=["threads", "bytes"])
@pytest.mark.parametrize("slices", [(300,), (10, 290), (150, 150)])
def test_a_target_ends_at_its_playout_and_the_search_goes_on_the_same(executor, slices):
    """What other workers did beyond it is undone: the end, and what follows, do not depend on slices or engine."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), SOLVERS["gnrpa"]
    scores = [point.score for point in nrpa.solve(problem, solver, seed=3, workers=3, playouts=300).improvements]
    target = problem.objective.value(scores[len(scores) * 2 // 3])
    expected = nrpa.start(problem, solver, seed=3, workers=3, executor=Inline())
    while expected.advance(playouts=1, target=target) != "target":
        pass
    run = nrpa.start(problem, solver, seed=3, workers=3, executor=executor)
    for playouts in slices:
        if run.advance(playouts=playouts, target=target) == "target":
            break
    assert run.progress.playouts == expected.progress.playouts
    for both in (run, expected):
        both.advance(playouts=100)
    assert run.result().improvements[-1][1:] == expected.result().improvements[-1][1:]
    assert run.solution == expected.solution
    run.close()


def test_top_level_searches_are_shared_out():
    """Exactly as many as asked for, whatever the engine."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), nrpa.NRPA(level=1, iterations=10)
    first = nrpa.start(problem, solver, seed=1, workers=2)
    second = nrpa.start(problem, solver, seed=1, workers=2, executor=Inline())
    for run in (first, second):
        assert run.advance(searches=5) == "searches"
        assert run.progress.searches == 5
        assert run.progress.playouts == 50
    first.close()


@pytest.mark.parametrize("slices", [(20,), (1, 3, 16), (1,) * 20])
def test_after_a_limit_of_searches_exactly_as_many_playouts_as_asked_for(slices):
    """Workers whose searches took fewer playouts catch up first; nothing depends on slices."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1)
    whole = nrpa.start(problem, solver, seed=1, workers=3)
    run = nrpa.start(problem, solver, seed=1, workers=3)
    for each, steps in ((whole, (20,)), (run, slices)):
        assert each.advance(searches=4) == "searches"
        assert each.progress.searches == 4
        before = each.progress.playouts
        for step in steps:
            each.advance(playouts=step)
        assert each.progress.playouts == before + 20
    assert [each.playouts for each in run._search.searches()] == [each.playouts for each in whole._search.searches()]
    run.advance(searches=1)
    assert run.progress.searches == 5
    run.close()
    whole.close()


@pytest.mark.parametrize("seed", [20, 22])
def test_improvements_after_a_limit_of_searches_do_not_go_back(seed):
    """Workers that catch up find them later than those that are ahead, in seconds and in playouts."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1), seed=seed, workers=3)
    for _ in range(6):
        run.advance(searches=4)
        run.advance(playouts=37)
        assert run.recorder.improvements[-1].playouts <= run.progress.playouts
    points = run.recorder.improvements
    assert len(points) > 5
    for field in zip(*points, strict=True):
        assert list(field) == sorted(field)
    assert len({point.playouts for point in points}) == len({point.score for point in points}) == len(points)
    run.close()


def test_a_target_that_two_workers_reach_in_one_slice_ends_at_the_first():
    """However much better the other one's is."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1)
    found = nrpa.start(problem, solver, seed=1, workers=3)._search.advance(300)
    for target in [improvement.score for improvement in found[:-1]]:
        whole, single = [nrpa.start(problem, solver, seed=1, workers=3)._search for _ in range(2)]
        whole.advance(300, score=target)
        while single.score < target:
            single.advance(1, score=target)
        assert (whole.playouts, whole.score) == (single.playouts, single.score)
        for search in (whole, single):
            search.close()


@pytest.mark.parametrize("executor", [None, Inline()], ids=["processes", "bytes"])
def test_an_error_in_a_worker_reaches_the_caller(executor):
    """The exception of the problem's method, from wherever it was raised."""
    with pytest.raises(LookupError, match="in score"):
        nrpa.solve(Failing(), SOLVERS["random"], seed=1, playouts=200, workers=2, executor=executor)


@pytest.mark.parametrize(
    ("workers", "message"),
    [
        (0, "at least 1"),
        (-2, "at least 1"),
        (1.5, "whole number"),
        ("two", '"all"'),
        (True, "whole number"),
        (64 * cores() + 1, f"at most {64 * cores()}, not"),
        (10**6, "at most"),
    ],
)
def test_a_number_of_workers_that_cannot_be(workers, message):
    """One sentence, before any of them is made."""
    with pytest.raises(nrpa.InputError, match=message):
        number_of_workers(workers)
    for executor in (None, Inline()) if workers == 10**6 else (None,):
        with pytest.raises(nrpa.InputError, match=message):
            nrpa.solve(Walk(), SOLVERS["random"], workers=workers, executor=executor)
    assert number_of_workers(10_000, elsewhere=True) == 10_000


def test_more_workers_than_searches():
    """One sentence names both."""
    problem, solver = nrpa.TSPTW.load("rc201.1"), nrpa.NRPA(level=1, iterations=10)
    with pytest.raises(nrpa.InputError, match="2 searches cannot be shared by 3 workers; expected at least as many"):
        nrpa.solve(problem, solver, seed=1, workers=3, searches=2)
    assert nrpa.solve(problem, solver, seed=1, workers=2, searches=2).playouts == 20


def test_searches_end_with_slices_of_one_playout():
    """A worker that has done its searches does not keep the others from theirs."""
    search = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.NRPA(level=1, iterations=10), seed=1, workers=2)._search
    for _ in range(200):
        search.advance(1, 5 - search.finished)
    assert (search.finished, search.playouts) == (5, 50)
    search.close()


def test_an_executor_that_takes_no_work():
    """Shut down before, or no executor at all."""
    problem = nrpa.TSPTW.load("rc201.1")
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(nrpa.InputError, match="the executor takes no work"):
        nrpa.start(problem, SOLVERS["random"], seed=1, workers=2, executor=pool)
    with pytest.raises(nrpa.InputError, match=r"must be a concurrent\.futures\.Executor, not 'dask'"):
        nrpa.start(problem, SOLVERS["random"], seed=1, workers=2, executor="dask")


class Answering(Executor):
    """Gives back what a function returns, whatever is submitted."""

    def __init__(self, answer):
        self._answer = answer

    def submit(self, function, /, *arguments):
        return self._answer()


def done_with_nothing():
    future = Future()
    future.set_result(None)
    return future


def test_an_executor_that_answers_something_else():
    """No future, or one with the result of another function."""
    for answer, message in (
        (lambda: None, "submit of Answering returned None"),
        (done_with_nothing, "future of Answering has the result None"),
    ):
        with pytest.raises(nrpa.InputError, match=message):
            nrpa.solve(Walk(), SOLVERS["random"], seed=1, playouts=20, workers=2, executor=Answering(answer))


def test_threads_end_with_the_solve():
    """No thread of the workers is left."""
    nrpa.solve(nrpa.TSPTW.load("rc201.1"), SOLVERS["random"], seed=1, playouts=20, workers=3)
    left = [thread for thread in threading.enumerate() if thread.name.startswith("nrpa")]
    for thread in left:
        thread.join(5)
    assert not any(thread.is_alive() for thread in left)


def test_two_threads_cannot_advance_one_search():
    """The second is refused, also where the search of a run is used without the run."""
    search = nrpa.start(nrpa.TSPTW.load("rc201.1"), SOLVERS["random"], seed=1, workers=2)._search
    refused = []

    def again():
        try:
            search.advance(1)
        except nrpa.InputError as error:
            refused.append(str(error))

    pool = search._pool
    run = pool.run

    def run_and_try(slices):
        thread = threading.Thread(target=again)
        thread.start()
        thread.join()
        return run(slices)

    pool.run = run_and_try
    search.advance(10)
    search.close()
    assert refused == ["this search is advanced by another thread; one at a time can, so start one for each"]


WHOLE = (600,)
CHAINS = nrpa.Tempering(chains=3, period=7)


class Long(Bits):
    """Games that need more room than a search begins with."""

    steps = 90


def samegame():
    return nrpa.SameGame(np.random.default_rng(1).integers(0, 3, (6, 7)))


@pytest.mark.parametrize("workers", [2, 3, 5])
def test_threads_find_what_one_worker_finds(workers):
    """Whatever their number and the slices; auto, which is tempering here, as well."""
    problem = samegame()
    for solver in (CHAINS, nrpa.Auto()):
        expected = trace(problem, solver, 1, slices=WHOLE)
        assert expected[0] == 600
        assert trace(problem, solver, workers, slices=WHOLE) == expected
        assert trace(problem, solver, workers, slices=(1, 2, 97, 333, 167)) == expected


@pytest.mark.parametrize("solver", [CHAINS, nrpa.Tempering(chains=3, period=7, names="code")])
@pytest.mark.parametrize("kind", [Walk, Long])
def test_executors_find_what_one_worker_finds(kind, solver):
    """Chains as bytes, each numbering moves and codes by itself; every other slice lost; games that need more room."""
    expected = trace(kind(), solver, 1, slices=WHOLE)
    for executor in (Inline(), Dying()):
        assert trace(kind(), solver, 2, executor, slices=(50, 301, 249)) == expected


def test_processes_find_what_one_worker_finds():
    """Of this machine, started afresh."""
    assert trace(Walk(), CHAINS, 2, slices=WHOLE) == trace(Walk(), CHAINS, 1, slices=WHOLE)


def test_threads_make_room_for_longer_games():
    """Chains that have grown are views of the whole no more; the others grow with them."""
    problem = samegame()
    small = nrpa.start(problem, CHAINS, seed=1, workers=2)
    large = nrpa.start(problem, CHAINS, seed=1)
    small.advance(playouts=150)
    large.advance(playouts=150)
    part = small._search.team.pool.standing[1]
    steps = part._capacity().steps
    part.grow_to(part._capacity()._replace(steps=2 * steps))
    assert not np.may_share_memory(part.memory.chains.games.move, small._search.memory.chains.games.move)
    for run in (small, large):
        run.advance(playouts=500)
    assert small.solution == large.solution
    assert small._search.memory.chains.games.move.shape == (3, 2 * steps)
    small.close()


@pytest.mark.parametrize("executor", [None, Inline()], ids=["threads", "bytes"])
def test_a_target_ends_a_team_at_its_playout_and_it_goes_on_the_same(executor):
    """As with one worker, asked playout by playout."""
    problem = samegame()
    points = nrpa.solve(problem, CHAINS, seed=3, playouts=600).improvements
    target = points[len(points) * 2 // 3].score
    single = nrpa.start(problem, CHAINS, seed=3)
    while single.advance(playouts=1, target=target) != "target":
        pass
    runs = [nrpa.start(problem, CHAINS, seed=3, workers=workers, executor=executor) for workers in (2, 3)]
    for run in runs:
        assert run.advance(playouts=600, target=target) == "target"
        assert run.progress.playouts == single.progress.playouts
    for run in (single, *runs):
        run.advance(playouts=200)
        assert run.solution == single.solution
        assert run.recorder.improvements[-1][1:] == single.recorder.improvements[-1][1:]
        run.close()


@pytest.mark.parametrize(("make", "solver"), [(samegame, nrpa.Auto()), (Walk, CHAINS)], ids=["threads", "plain Python"])
def test_a_checkpoint_goes_on_with_any_number_of_workers(make, solver, tmp_path):
    """Stopped in the middle of turns and resumed with others, it ends as if it had never been stopped."""
    whole = nrpa.start(make(), solver, seed=3)
    whole.advance(playouts=700)
    run = nrpa.start(make(), solver, seed=3, workers=3, executor=None if make is samegame else Inline())
    for playouts, workers in ((47, 1), (116, 2), (300, 3), (500, 2)):
        run.advance(stop=nrpa.PlayoutLimit(playouts))
        run.save(tmp_path / "run.npz")
        run.close()
        run = nrpa.resume(tmp_path / "run.npz", make(), workers=workers, executor=Inline() if make is Walk else None)
        assert run.workers == workers
    run.advance(stop=nrpa.PlayoutLimit(700))
    assert run.solution == whole.solution
    assert [point[1:] for point in run.recorder.improvements] == [point[1:] for point in whole.recorder.improvements]
    run.close()


def test_an_error_in_a_team_reaches_the_caller():
    """And the search is where it was before it was asked."""
    search = nrpa.start(Failing(), CHAINS, seed=1, workers=2, executor=Inline())._search
    search.advance(1)
    with pytest.raises(LookupError, match="in score"):
        search.advance(5000)
    assert search.playouts == 1


def test_several_arms_are_searches_of_each_worker():
    """Only chains are shared."""
    runs = [nrpa.start(Bits(), nrpa.Auto(), seed=1, workers=2, executor=Inline()) for _ in range(2)]
    assert all(len(run._search.searches()) == 2 for run in runs)


def test_arms_hand_on_their_best_game_in_each_worker():
    """In plain Python, in processes, where a search is read anew at each slice: as in one that is never moved."""
    problem, playouts = Numbers(), 1000
    run = nrpa.start(problem, nrpa.Auto(), seed=1, workers=2)
    for _ in range(4):
        run.advance(playouts=playouts // 2)
    alone = [nrpa.Auto().start(problem, stream) for stream in np.random.SeedSequence(1).spawn(2)]
    for search, moved in zip(alone, run._search.searches(), strict=True):
        search.advance(playouts)
        scores = [[arm.score for arm in each.searches] for each in (search, moved)]
        assert scores[0] == scores[1]
        assert scores[0].count(search.score) > 1
    assert run.progress.score == max(search.score for search in alone)
    run.close()
