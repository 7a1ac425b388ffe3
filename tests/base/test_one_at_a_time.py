import pickle
import threading

import pytest

import nrpa
from nrpa.base.one_at_a_time import OneAtATime


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


def refused(advance):
    """Call ``advance`` in four threads at once; return what they were refused with."""
    refusals = []

    def try_it():
        try:
            advance()
        except nrpa.InputError as error:
            refusals.append(str(error))

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refusals


def test_threads_cannot_share_a_run(problem):
    """All but the one that advances it are refused with a sentence; the run goes on and is whole."""
    run = nrpa.start(problem, nrpa.GNRPA(level=2), seed=1)
    refusals = []
    run.advance(playouts=2000, on_slice=lambda run: refusals.extend(refused(lambda: run.advance(playouts=100))))
    assert set(refusals) == {"this run is being advanced; only one call of advance at a time can go on with it"}
    assert run.progress.playouts == 2000
    run.advance(playouts=1000)
    alone = nrpa.solve(problem, nrpa.GNRPA(level=2), seed=1, playouts=3000)
    assert (run.result().score, run.result().solution) == (alone.score, alone.solution)


def test_threads_cannot_share_a_search(problem):
    """Nor what is below a run: it would write past the ends of its arrays."""
    search = nrpa.GNRPA(level=3).start(problem, 1)
    search.advance(1)
    refusals = refused(lambda: search.advance(100_000))
    done = (search.playouts - 1) // 100_000
    assert len(refusals) + done == 4
    assert all("advanced by another thread" in text for text in refusals)


def test_a_callback_cannot_advance_its_own_run(problem):
    """In the same thread it is refused as well."""
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)
    with pytest.raises(nrpa.InputError, match="this run is being advanced"):
        run.advance(playouts=100, on_slice=lambda run: run.advance(playouts=1))
    run.advance(playouts=100)


def test_a_copy_is_free():
    """What is pickled while it is held is a lock that nobody holds."""
    alone = OneAtATime("busy")
    with alone():
        with pytest.raises(nrpa.InputError, match="busy"), alone():
            pass
        with pickle.loads(pickle.dumps(alone))():
            pass
