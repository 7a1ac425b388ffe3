"""Worker processes of this machine."""

import os
import signal
from concurrent.futures.process import BrokenProcessPool

import pytest
from walk import Deadly, Walk

import nrpa
from nrpa.base.errors import LostWorkersError
from nrpa.search.processes import WorkerProcess


def test_a_killed_process_costs_its_call_and_another_begins():
    """The call has an error; the next one runs in a new process."""
    with WorkerProcess() as process:
        first = process.submit(os.getpid).result()
        lost = process.submit(signal.pause)
        os.kill(first, signal.SIGKILL)
        assert isinstance(lost.exception(), BrokenProcessPool)
        assert process.submit(os.getpid).result() != first


def test_end_does_not_wait():
    """Whatever the process is doing."""
    process = WorkerProcess()
    process.submit(os.getpid).result()
    lost = process.submit(signal.pause)
    process.end()
    assert isinstance(lost.exception(), BrokenProcessPool)


def test_interrupts_are_left_to_the_parent():
    """Ctrl-C, SIGTERM and SIGHUP do not end it."""
    with WorkerProcess() as process:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process.submit(signal.raise_signal, number).result()


def test_a_search_survives_its_worker_processes():
    """Both are killed in the middle; the result is that of a search whose processes live."""
    solver, limits = nrpa.GNRPA(level=2, iterations=8), {"seed": 3, "workers": 2, "playouts": 20_000}
    killed = []

    def kill(run):
        if not killed:
            killed.extend(process.submit(os.getpid).result() for process in run._search._engine._own)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    found = nrpa.solve(Walk(), solver, **limits, on_slice=kill)
    expected = nrpa.solve(Walk(), solver, **limits)
    assert len(set(killed)) == 2
    assert (found.score, found.solution, found.playouts) == (expected.score, expected.solution, 20_000)
    assert [point[1:] for point in found.improvements] == [point[1:] for point in expected.improvements]


def test_a_slice_that_is_lost_again_and_again_ends_the_search():
    """One sentence that says how it was lost, not a search that never ends."""
    with pytest.raises(LostWorkersError, match="the same slice of worker 1 was lost 5 times \\(BrokenProcessPool"):
        nrpa.solve(Deadly(), nrpa.RandomSampling(), seed=1, playouts=20, workers=2)
