"""Searches in the processes and threads of other libraries (docs/in-programs.md)."""

import multiprocessing
import threading

import pytest
from walk import walked


def test_a_worker_of_joblib_can_start_workers():
    """Its start method, "loky", is not known to processes of Python's own."""
    joblib = pytest.importorskip("joblib")
    assert joblib.Parallel(n_jobs=2)([joblib.delayed(walked)(2)]) == [walked(2)]


def test_a_daemon_searches_alone():
    """As one with a single worker does; for several it says in a sentence that it cannot."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(walked, [1]) == [walked(1)]
        assert "a daemon process cannot start worker processes" in pool.map(walked, [2])[0]


def test_a_thread_finds_the_same():
    """With one worker and with several."""
    scores = {}
    threads = [threading.Thread(target=lambda n=n: scores.update({n: walked(n)})) for n in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == {1: walked(1), 2: walked(2)}
