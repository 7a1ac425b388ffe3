"""Chains of one search over workers: the same as with one worker."""

import numpy as np
import pytest
from executors import Dying, Inline
from user_problems import Bits
from walk import Failing, Walk, trace

import nrpa

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
    part = small._search.team._parts.searches[1]
    steps = part._capacity().steps
    part.grow_to(part._capacity()._replace(steps=2 * steps))
    assert not np.may_share_memory(part.memory.chains.games.move, small._search.memory.chains.games.move)
    for run in (small, large):
        run.advance(playouts=500)
    assert small.solution == large.solution
    assert small._search.memory.chains.games.move.shape == (3, 2 * steps)
    small.close()


@pytest.mark.parametrize("executor", [None, Inline()], ids=["threads", "bytes"])
def test_a_target_ends_at_its_playout_and_the_search_goes_on_the_same(executor):
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


def test_an_error_in_a_worker_reaches_the_caller():
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
