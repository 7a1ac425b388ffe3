import os
import signal

import numba
import pytest
from numba.core.compiler_lock import global_compiler_lock

import nrpa
from nrpa.search import interrupt
from nrpa.search.interrupt import ENDING, AsCtrlC, Interrupt, leave_to_parent


def send(number):
    os.kill(os.getpid(), number)


@pytest.fixture
def default_handlers():
    """Set the handlers that a program starts with, and put back what was there."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in ENDING}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, *ENDING])
def test_the_first_signal_is_noted(default_handlers, number):
    """Nothing is raised, and the handler from before is back afterwards."""
    before = signal.getsignal(number)
    with Interrupt() as interrupted:
        assert not interrupted.requested
        send(number)
        assert interrupted.requested
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", ENDING)
def test_an_echo_is_no_second_signal(default_handlers, monkeypatch, number):
    """`timeout` sends each signal twice at once; a later one ends the program."""
    with Interrupt() as interrupted:
        send(number)
        send(number)
        assert interrupted.requested
        monkeypatch.setattr(interrupt, "ECHO_SECONDS", -1.0)
        with pytest.raises(KeyboardInterrupt):
            send(number)


def test_ctrl_c_after_a_signal_raises_at_once(default_handlers):
    """It has no echo."""
    with Interrupt():
        send(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)


def test_a_signal_within_counts_outside_too(default_handlers):
    """So that the second one, while files are written, ends the program; and a search that begins late ends at once."""
    with Interrupt() as outer:
        with Interrupt():
            send(signal.SIGINT)
        assert outer.requested
        with Interrupt() as second:
            assert second.requested
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)


def test_signals_that_others_handle_are_left_alone(default_handlers):
    """Those that `nohup` ignores, and those of the program that calls the library."""
    seen = []
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    with Interrupt() as interrupted:
        send(signal.SIGHUP)
        send(signal.SIGTERM)
    assert not interrupted.requested
    assert seen == [signal.SIGTERM]


def test_sigterm_ends_a_search_with_its_result(default_handlers):
    """With status interrupted."""
    problem = nrpa.TSPTW.load("rc201.1")
    result = nrpa.solve(problem, seed=1, playouts=10**9, on_slice=lambda run: send(signal.SIGTERM))
    assert result.status == "interrupted"


def test_as_ctrl_c(default_handlers):
    """SIGTERM and SIGHUP raise KeyboardInterrupt inside, and are as before outside."""
    for number in ENDING:
        with pytest.raises(KeyboardInterrupt), AsCtrlC():
            send(number)
        assert signal.getsignal(number) is signal.SIG_DFL


def test_a_search_takes_over_what_raises_ctrl_c(default_handlers):
    """Inside, signals are noted again, and outside of the search they raise again."""
    with AsCtrlC():
        with Interrupt() as interrupted:
            send(signal.SIGTERM)
        assert interrupted.requested
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGTERM)


def compile_after(numbers, inner):
    """Send signals inside numba's lock, then call ``inner`` there."""
    with AsCtrlC(), global_compiler_lock:
        with global_compiler_lock:
            for number in numbers:
                send(number)
        inner()


def test_numba_compiles_undisturbed(default_handlers):
    """A signal that comes while it does, and its echo, wait until it has compiled all."""
    reached = []
    with pytest.raises(KeyboardInterrupt):
        compile_after([signal.SIGTERM, signal.SIGHUP], lambda: reached.append(True))
    assert reached
    assert numba.njit(lambda: 1)() == 1


def test_numba_is_broken_off_between_two_functions(default_handlers):
    """It does not begin with the next one; nothing is left of that afterwards."""
    compiled = numba.njit(lambda: 1)
    with pytest.raises(KeyboardInterrupt):
        compile_after([signal.SIGINT], compiled)
    assert not compiled.signatures
    assert compiled() == 1


def test_a_second_ctrl_c_does_not_wait_for_numba(default_handlers):
    """It has no echo."""
    with AsCtrlC(), global_compiler_lock:
        send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), global_compiler_lock:
            numba.njit(lambda: 1)()


def test_what_is_left_to_the_parent(default_handlers):
    """SIGTERM and SIGHUP end neither the process nor a search in it."""
    leave_to_parent()
    with Interrupt() as interrupted:
        for number in ENDING:
            send(number)
    assert not interrupted.requested
