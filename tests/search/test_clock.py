"""What seconds are: those on the wall, or the processor time of the thread that searches."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import InputError

NAP = 0.01
FAST = nrpa.NRPA(level=2, iterations=4)


class Sleeper(Bits):
    """Bits whose score takes time, but no processor."""

    def score(self, state):
        time.sleep(NAP)
        return super().score(state)


def test_whoever_reads_a_result_is_told(capsys):
    """Rows, the summary and what a notebook shows name the processor's clock."""
    result = nrpa.solve(Sleeper(), FAST, seed=1, playouts=4, clock="processor", verbose=True)
    header, row = capsys.readouterr().err.splitlines()[-2:]
    assert header.split()[:3] == ["processor", "seconds", "playouts"]
    assert len(header) == len(row)
    for shown in (result.summary(), result._repr_html_()):
        assert " s of processor time" in shown


def test_the_processor_does_not_count_sleep():
    """What a run sleeps is missing from its seconds by the processor's clock, and in them by that on the wall."""
    playouts = 16
    run = nrpa.start(Sleeper(), FAST, seed=1, clock="processor")
    begun = time.perf_counter()
    run.advance(playouts=playouts)
    gone = time.perf_counter() - begun
    result = run.result()
    assert result.clock == "processor"
    assert 0 < result.seconds <= gone - playouts * NAP
    on_the_wall = nrpa.solve(Sleeper(), FAST, seed=1, playouts=playouts)
    assert on_the_wall.clock == "wall"
    assert on_the_wall.seconds >= playouts * NAP
    assert (on_the_wall.score, on_the_wall.solution) == (result.score, result.solution)


def test_a_checkpoint_keeps_the_clock(tmp_path):
    """A resumed run has the clock that it was started with, and a result says which."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), FAST, seed=1, clock="processor")
    run.advance(playouts=20)
    run.save(tmp_path / "run.npz")
    again = nrpa.resume(tmp_path / "run.npz")
    assert (again.clock, again.progress.seconds) == ("processor", run.progress.seconds)
    again.advance(playouts=40)
    assert again.progress.seconds > run.progress.seconds
    result = again.result()
    assert nrpa.Result.from_json(result.to_json()).clock == "processor"
    with pytest.raises(InputError, match="one worker, and no executor"), ThreadPoolExecutor(1) as executor:
        nrpa.resume(tmp_path / "run.npz", executor=executor)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"clock": "sun"}, "clock must be one of wall, processor, not 'sun'"),
        ({"clock": []}, r"clock must be one of wall, processor, not \[\]"),
        ({"clock": "processor", "workers": 2}, "one worker, and no executor"),
    ],
)
def test_other_clocks_are_refused(given, message):
    """A clock that there is none of, and the processor's where others search as well."""
    with pytest.raises(InputError, match=message):
        nrpa.start(Bits(), FAST, seed=1, **given)
