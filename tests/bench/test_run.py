import json
import multiprocessing
import os
import signal
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from executors import Inline
from killed import continued, stopped

from nrpa.base.errors import InputError
from nrpa.bench import Experiment, Variant, run_experiment
from nrpa.bench.distribute import Teller
from nrpa.bench.records import playouts_path, read_records

VARIANTS = (Variant("NRPA", "nrpa", {"level": 2}), Variant("t1.4", "gnrpa", {"tau": 1.4, "level": 2}))


def experiment(**changes):
    settings = {"runs": 2, "playouts": 300, **changes}
    return Experiment("tsptw", ("rc201.1",), settings.pop("variants", VARIANTS), **settings)


def words(out, *options):
    variants = ["--variant", "A:level=2", "--variant", "B:level=2,tau=2"]
    return ["bench", "tsptw", "rc201.1", *variants, "--out", out, *options]


def finished(path):
    return [row.run for row in read_records(path).rows if row.mark == 0.3] if path.exists() else []


def test_each_run_is_recorded_and_repeated_by_its_seed(tmp_path):
    """Each run has all its marks once; a second experiment, whatever its workers, gives the same scores."""
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    seen = []
    run_experiment(experiment(), a, workers=1, on_run=lambda standing: seen.append((standing.done, standing.total)))
    run_experiment(experiment(), b, workers=2)
    rows = read_records(playouts_path(a)).rows
    assert [row.mark for row in rows if row.run == ("NRPA", "rc201.1", 1)] == [2**k for k in range(9)] + [300]
    assert {row.run for row in rows} == {(v.name, "rc201.1", seed) for v in VARIANTS for seed in (1, 2)}
    assert sorted(rows) == sorted(read_records(playouts_path(b)).rows)
    assert seen == [(k, 4) for k in range(5)]


def test_what_is_on_disk_is_not_run_again(tmp_path):
    """More runs and variants continue an experiment; rows of a run cut short by a crash are run again."""
    out = tmp_path / "a.csv"
    run_experiment(experiment(runs=1), out, workers=1)
    before = playouts_path(out).read_text()
    playouts_path(out).write_text(before + "NRPA,rc201.1,2,1,-99.0\nNRPA,rc201.1,2,2,-9")
    more = experiment(variants=(*VARIANTS, Variant("C", "gnrpa", {"level": 1})))
    seen = []
    run_experiment(more, out, workers=1, on_run=seen.append)
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (2, 6, 6)
    assert playouts_path(out).read_text().startswith(before)
    assert "-99" not in playouts_path(out).read_text()
    run_experiment(more, out, workers=1, on_run=lambda standing: pytest.fail("nothing was left to run"))
    assert json.loads(out.with_suffix(".json").read_text())["experiment"]["variants"]["C"]["level"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"playouts": 200}, "was made with playouts 300, not 200"),
        ({"playouts": None, "time": 0.1}, "was made with time None, not 0.1"),
        ({"target": "best known"}, "was made with target None, not best known"),
        ({"searches": 1}, "was made with searches None, not 1"),
        ({"clock": "processor"}, "was made with clock wall, not processor"),
        ({"variants": (Variant("NRPA", "nrpa", {"level": 1}),)}, "other options of NRPA"),
    ],
)
def test_another_experiment_is_not_mixed_in(tmp_path, change, message):
    """Records of another budget, or of a variant with other options, are left alone."""
    out = tmp_path / "a.csv"
    run_experiment(experiment(runs=1), out, executor=Inline())
    before = playouts_path(out).read_bytes()
    with pytest.raises(InputError, match=message):
        run_experiment(experiment(**change), out, executor=Inline())
    assert playouts_path(out).read_bytes() == before


def test_an_experiment_without_a_clock_is_by_that_on_the_wall(tmp_path):
    """One that was described before clocks and targets could be chosen goes on as it was."""
    out = tmp_path / "a.csv"
    run_experiment(experiment(runs=1), out, executor=Inline())
    described = json.loads(out.with_suffix(".json").read_text())
    assert described["experiment"].pop("clock") == "wall"
    assert [described["experiment"].pop(key) for key in ("target", "searches")] == [None, None]
    out.with_suffix(".json").write_text(json.dumps(described))
    run_experiment(
        experiment(runs=1), out, executor=Inline(), on_run=lambda standing: pytest.fail("nothing was left to run")
    )
    with pytest.raises(InputError, match="was made with clock wall, not processor"):
        run_experiment(experiment(clock="processor"), out, executor=Inline())


def test_the_best_of_a_run_says_its_clock(tmp_path):
    """The clock of an experiment is that of its runs."""
    out = tmp_path / "a.csv"
    run_experiment(experiment(runs=1, clock="processor"), out, executor=Inline())
    (best, *_) = json.loads(out.with_suffix(".best.json").read_text())["best"]
    assert best["result"]["clock"] == "processor"


def test_the_time_left_is_what_is_known_before_and_then_what_runs_take(monkeypatch):
    """A run that takes 10 s at most, two at once: 5 s each, of which the first and its compiling move little."""
    now, told = [0.0], []
    monkeypatch.setattr("nrpa.bench.distribute.time", SimpleNamespace(monotonic=lambda: now[0]))
    teller = Teller(lambda progress: told.append((progress.done, progress.total, progress.left)), 2, 42, 5.0)
    teller.tell(2)
    now[0] = 27.0
    teller.count(2)
    now[0] = 127.0
    teller.expect(20)
    for _ in range(10):
        teller.count(2)
    assert told[:2] == [(2, 42, 200.0), (3, 42, 39 * 77 / 11)]
    assert told[-1] == (13, 23, 10 * 177 / 21)
    unknown = Teller(lambda progress: told.append(progress.left), 0, 4)
    unknown.tell(1)
    now[0] += 3.0
    unknown.count(1)
    assert told[-2:] == [None, 9.0]


def test_a_file_of_something_else_is_left_alone(tmp_path):
    """A CSV that no experiment wrote is neither continued nor written over."""
    (tmp_path / "a.csv").write_text("my,own,data\n")
    with pytest.raises(InputError, match=r"a\.csv: exists, but not .*a\.json"):
        run_experiment(experiment(), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "my,own,data\n"


def test_a_missing_instance_ends_it_before_anything_runs(tmp_path):
    """The instance is named."""
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file"):
        run_experiment(Experiment("tsptw", ("nowhere.txt",), VARIANTS, playouts=5), tmp_path / "a.csv")


def test_sigkill_loses_no_finished_run_and_repeats_none(tmp_path):
    """Killed in the middle, the experiment goes on where it was; its workers die with it."""
    out = tmp_path / "a.csv"
    budget = ("--time", 0.3, "--runs", 4, "--workers", 2, "-q")
    process, *_ = stopped(words(out, *budget), lambda: len(finished(out)) >= 3)
    kept = finished(out)
    assert 3 <= len(kept) < 8
    rows = [row for row in read_records(out).rows if row.run in kept]
    while _alive(process.pid):
        time.sleep(0.02)

    continued(*words(out, *budget))
    runs = finished(out)
    assert sorted(runs) == sorted((v, "rc201.1", seed) for v in "AB" for seed in (1, 2, 3, 4))
    assert read_records(out).rows[: len(rows)] == rows
    assert {row.run for row in read_records(playouts_path(out)).rows} == set(runs)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_keeps_what_is_finished(tmp_path, number):
    """A signal to the whole group, as a terminal sends it: exit 130 at once, and no run in progress in the file."""
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("ignored where the tests run, as under nohup")
    out = tmp_path / "a.csv"
    budget = ("--time", 0.3, "--runs", 100, "--workers", 1, "-q")
    process, _, err = stopped(words(out, *budget), lambda: len(finished(out)) >= 2, number, to_all=True)
    assert process.returncode == 130
    assert "the same command continues" in err
    assert "Traceback" not in err
    assert {row.run for row in read_records(out).rows} == set(finished(out))


def kill_workers():
    while not (children := multiprocessing.active_children()):
        time.sleep(0.001)
    for child in children:
        child.kill()


def test_a_killed_worker_costs_its_run(tmp_path, caplog):
    """It is run again: each run is recorded once, with the scores of an experiment in which no worker was killed."""
    out, whole = tmp_path / "a.csv", tmp_path / "b.csv"
    budget = {"playouts": 20_000}
    run_experiment(
        experiment(**budget), out, workers=1, on_run=lambda standing: kill_workers() if standing.done < 2 else None
    )
    run_experiment(experiment(**budget), whole, workers=1)
    rows = read_records(playouts_path(out)).rows
    assert sorted(rows) == sorted(read_records(playouts_path(whole)).rows)
    assert "the worker of the run NRPA rc201.1 1 was lost; it is run again" in caplog.messages


class Failing(Executor):
    """Loses what it is given."""

    def submit(self, function, /, *arguments):
        future = Future()
        future.set_exception(ConnectionError("gone"))
        return future


def test_a_run_that_is_lost_again_and_again_is_one_sentence(tmp_path):
    """The third time ends the experiment."""
    out = tmp_path / "a.csv"
    with pytest.raises(InputError, match=r"the run (NRPA|t1\.4) rc201\.1 1 was lost 3 times \(Conn.* gone\); the same"):
        run_experiment(experiment(), out, executor=Failing())
    with ThreadPoolExecutor(1) as pool:
        pass
    with pytest.raises(InputError, match="the executor takes no work"):
        run_experiment(experiment(), out, executor=pool)


def test_an_executor_gives_the_same_records(tmp_path):
    """Threads of this process here; how many runs are going on is told."""
    a, b, seen = tmp_path / "a.csv", tmp_path / "b.csv", []
    with ThreadPoolExecutor(2) as pool:
        run_experiment(experiment(), a, workers=2, executor=pool, on_run=lambda now: seen.append(now.running))
    run_experiment(experiment(), b, workers=1)
    assert sorted(read_records(playouts_path(a)).rows) == sorted(read_records(playouts_path(b)).rows)
    assert seen == [2, 2, 2, 1, 0]


ODD = """
import nrpa

class Odd(nrpa.Problem):
    def __init__(self): self.key = lambda state: -state[1]
    def initial_state(self): return (7, 0)
    def legal_moves(self, state): return [coin for coin in (1, 3, 5) if coin <= state[0]]
    def play(self, state, move): return (state[0] - move, state[1] + 1)
    def score(self, state): return self.key(state)
"""


def test_a_problem_that_cannot_be_pickled_is_read_by_the_workers(tmp_path):
    """By processes of this machine; for other executors it is refused in a sentence."""
    (tmp_path / "odd.py").write_text(ODD)
    made = Experiment(f"{tmp_path / 'odd.py'}:Odd", (), (Variant("A", "nmcs"),), runs=1, playouts=20)
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="Odd: cannot be sent to worker processes"):
        run_experiment(made, tmp_path / "a.csv", executor=pool)
    run_experiment(made, tmp_path / "a.csv", workers=1)
    assert read_records(playouts_path(tmp_path / "a.csv")).rows[-1].score == -3


def test_two_at_once_do_not_mix(tmp_path):
    """The second is refused while the first runs, and each run is recorded once."""
    out = tmp_path / "a.csv"

    def start_another(standing):
        with pytest.raises(InputError, match=r"a\.csv: another process is writing it"):
            run_experiment(experiment(), out, workers=1)

    run_experiment(experiment(runs=1), out, workers=1, on_run=start_another)
    rows = read_records(playouts_path(out)).rows
    assert len(rows) == len({(row.run, row.mark) for row in rows}) == 20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.best.json", "a.csv", "a.json", "a.playouts.csv"]


def _alive(group):
    """Return whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
