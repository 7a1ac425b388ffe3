"""A search gives up the playout in progress where it shall end, and loses nothing by it."""

import signal
import socket
import time

import numpy as np
import pytest
from walk import Walk

import nrpa
from nrpa.base.errors import InputError
from nrpa.search import run as run_module
from nrpa.search.executors import _mapped
from nrpa.search.watch import Watch
from nrpa.search.workers import started

STEPS = 6


class Interrupted(nrpa.Problem):
    """Six digits, whose sum counts; at some call of ``play`` something happens, as if from outside."""

    def __init__(self):
        self.calls, self.at, self.event = 0, 0, None

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return (0, 1, 2, 3) if len(state) < STEPS else ()

    def play(self, state, move):
        self.calls += 1
        if self.calls == self.at and self.event is not None:
            self.event()
        return (*state, move)

    def score(self, state):
        return float(sum(state) - 3 * (state[0] == state[-1]))


SOLVERS = (nrpa.GNRPA(level=2, iterations=5), nrpa.NMCS(level=1), nrpa.Tempering(chains=3), nrpa.UCT(), nrpa.Auto())


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_a_search_that_was_stopped_goes_on_as_if_it_had_not_been(solver):
    """The flag is set in the middle of playouts, again and again; the same playouts give the same in the end."""
    whole = nrpa.start(Interrupted(), solver, seed=3)
    whole.advance(playouts=300)
    problem = Interrupted()
    run = nrpa.start(problem, solver, seed=3)
    search, stops, rounds = run._search, 0, 0

    def stop():
        search.stop[0] = True

    problem.event = stop
    while search.playouts < 300:
        problem.calls, problem.at, rounds = 0, 3 + 7 * (rounds % 5), rounds + 1
        before, search.stop[0] = search.playouts, False
        asked = min((1, 25, 2)[rounds % 3], 300 - before)
        search.advance(asked)
        stops += bool(search.stop[0])
        assert before <= search.playouts <= before + asked
    assert stops > 8
    assert search.score == whole._search.score
    assert search.moves.tolist() == whole._search.moves.tolist()
    for name, array in whole._search.arrays().items():
        if name.endswith(("random", "games/move", "tally/last_score", "policy/g")):
            np.testing.assert_array_equal(search.arrays()[name], array, err_msg=name)


def wait_for(stop):
    """Do what takes longer than any limit, until the search is to end."""
    while not stop[0]:
        time.sleep(0.001)


def interrupted_at(call):
    """Return a run that Ctrl-C meets in a call of its problem."""
    problem = Interrupted()
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)

    def interrupt():
        signal.raise_signal(signal.SIGINT)
        wait_for(run._search.stop)

    problem.calls, problem.at, problem.event = 0, call, interrupt
    return run


def test_ctrl_c_ends_a_playout():
    """The best before it is the result."""
    run = interrupted_at(20 * STEPS + 2)
    assert run.advance(playouts=1000) == "interrupted"
    assert 0 < run.result().playouts <= 20


def test_a_limit_of_time_ends_a_playout():
    """The watching thread says so; nobody else looks at the clock."""
    problem = Interrupted()
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)

    def begin_to_wait(run):
        if problem.event is None:
            problem.calls, problem.at, problem.event = 0, 2, lambda: wait_for(run._search.stop)

    assert run.advance(time=1.0, on_slice=begin_to_wait) == "time"
    assert run.result().playouts == 1
    assert not run._search.stop[0]


def test_without_a_playout_there_is_no_result(monkeypatch):
    """The sentence says what the limit was too short for."""
    monkeypatch.setattr(run_module, "MORE_SECONDS", 0.0)
    problem = Interrupted()
    run = nrpa.start(problem, nrpa.GNRPA(level=1), seed=1)
    problem.calls, problem.at, problem.event = 0, 2, lambda: wait_for(run._search.stop)
    assert run.advance(time=1e-3) == "time"
    with pytest.raises(InputError, match=r"the first playout had not ended after .* s, so there is no result"):
        run.result()


def test_ctrl_c_in_the_first_playout_is_an_interrupt():
    """There is nothing that could be kept."""
    run = interrupted_at(2)
    assert run.advance(playouts=5) == "interrupted"
    with pytest.raises(KeyboardInterrupt):
        run.result()


def test_bytes_of_signals_are_handed_on():
    """An event loop that waits for signals still gets them."""
    seen = []
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    stop = np.zeros(1, np.bool_)
    try:
        with Watch(stop, lambda: False, {signal.SIGUSR1}):
            signal.raise_signal(signal.SIGUSR1)
            wait_for(stop)
        assert signal.set_wakeup_fd(before) == theirs.fileno()
        assert ours.recv(8) == bytes([signal.SIGUSR1])
        assert seen == [1]
        assert not stop[0]
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGUSR1, handler)
        ours.close()
        theirs.close()


def test_workers_heed_the_stop_of_their_pool():
    """Threads share an array, processes a file."""
    problem = nrpa.TSPTW.load("rc204.1")
    search = started(problem, nrpa.GNRPA(level=1), 1, 2, None, {})
    search.stop[0] = True
    assert search.advance(100) == []
    assert search.playouts == 0
    search.stop[0] = False
    search.advance(100)
    assert search.playouts == 100
    search.close()
    processes = started(Walk(), nrpa.GNRPA(level=1), 1, 2, None, {})
    processes.stop[0] = True
    assert _mapped(processes._pool._stop_file)[0]
    assert processes.advance(10) == []
    assert processes.playouts == 0
    processes.stop[0] = False
    processes.advance(10)
    assert processes.playouts == 10
    processes.close()
