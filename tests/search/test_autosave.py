import json

import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import InputError
from nrpa.search import autosave
from nrpa.search.checkpoint import read_checkpoint


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(autosave, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def search():
    run = nrpa.start(Bits(), nrpa.NRPA(level=2, iterations=5), seed=1)
    run.advance(playouts=1)
    return run


def test_the_result_is_written_after_an_improvement_once_a_second(tmp_path, clock, search):
    """Not without a new best, not twice in a second; and what came in between is written when the second is over."""
    path = tmp_path / "out.json"
    kept = autosave.ResultAutosave(path, setup_seconds=1000.0)
    kept.slice(search)
    first = json.loads(path.read_text())
    assert (first["status"], first["playouts"]) == ("running", 1)
    assert first["setup_seconds"] > 1000
    path.unlink()
    kept.slice(search)
    clock[0] += 2
    kept.slice(search)
    assert not path.exists()
    search.advance(stop=nrpa.ScoreLimit(search.progress.score + 1))
    kept.slice(search)
    assert nrpa.Result.from_json(path.read_text()).score == search.progress.score
    search.advance(stop=nrpa.ScoreLimit(search.progress.score + 1))
    for passed, expected in [(0.9, False), (0.2, True)]:
        clock[0] += passed
        kept.slice(search)
        assert (nrpa.Result.from_json(path.read_text()).score == search.progress.score) is expected


def test_a_checkpoint_is_written_at_first_and_every_few_seconds(tmp_path, clock, search):
    """Whether there is an improvement or not."""
    path = tmp_path / "run.npz"
    kept = autosave.CheckpointAutosave(path, seconds=5)
    for passed, is_written in [(0, True), (4.9, False), (0.2, True), (4.9, False), (0.2, True)]:
        clock[0] += passed
        kept.slice(search)
        assert path.exists() is is_written
        path.unlink(missing_ok=True)


def test_what_takes_long_to_write_is_written_less_often(clock, search):
    """A twentieth of the time at most goes into it."""
    times = []

    class Slow(autosave.Autosave):
        def _write(self, run):
            times.append(clock[0])
            clock[0] += 2

    file = Slow("a file", seconds=5)
    for _ in range(130):
        file.slice(search)
        clock[0] += 1
    assert times[:3] == [100, 180, 220]


def test_a_file_that_grows_takes_no_more_of_the_time(clock, search):
    """What writing will take is expected from the size, also for the first time, so that it never takes more."""
    spent = []

    class Growing(autosave.Autosave):
        _speed = 10.0

        def _size(self, run):
            return clock[0] / 5  # 2 seconds for the first file, and more and more

        def _write(self, run):
            spent.append(self._size(run) / 10)
            clock[0] += spent[-1]
            assert sum(spent) <= 1.05 * (clock[0] - 100) / 20

    file = Growing("a file", seconds=5)
    for _ in range(2000):
        file.slice(search)
        clock[0] += 1
    assert len(spent) > 5


def test_a_file_that_cannot_be_written_any_more_does_not_end_the_search(tmp_path, clock, search, caplog):
    """It is said once, writing is tried again, and the last whole checkpoint stays."""
    path = tmp_path / "run.npz"
    kept = autosave.CheckpointAutosave(path, seconds=5)
    kept.slice(search)
    with pytest.MonkeyPatch.context() as patch:

        def full(descriptor):
            raise OSError(28, "No space left on device")

        patch.setattr("os.fsync", full)
        for _ in range(3):
            search.advance(playouts=1)
            clock[0] += 6
            kept.slice(search)
    assert len(caplog.messages) == 1
    assert caplog.messages[0].endswith("cannot be written (No space left on device); the search goes on")
    assert read_checkpoint(path).arrays["memory/tally/playouts"][0] == 1
    clock[0] += 6
    kept.slice(search)
    assert read_checkpoint(path).arrays["memory/tally/playouts"][0] == 4


class Odd(Bits):
    def legal_moves(self, state):
        return [complex(move) for move in super().legal_moves(state)]

    def score(self, state):
        return sum(state).real


def test_what_can_never_be_saved_is_refused_at_the_start(tmp_path):
    """After the first slice, not after an hour."""
    run = nrpa.start(Odd(), seed=1)
    with pytest.raises(InputError, match=r"Odd: a checkpoint cannot hold the move 0j \(complex\)"):
        run.advance(playouts=1000, on_slice=autosave.CheckpointAutosave(tmp_path / "run.npz").slice)
    assert run.progress.playouts == 1
