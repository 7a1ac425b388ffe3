import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from user_problems import EXAMPLES, Bits

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.tune_result import Comparison, Tuning

FILE = str(EXAMPLES / "knapsack.py")
SETTINGS = {"playouts": 40, "trials": 12, "runs": 6, "fresh_runs": 8}


class Steep(Bits):
    """Twelve bits; each that is not set makes the rest worthless, so that options matter."""

    steps = 12

    def score(self, state):
        return state.index(0) if 0 in state else self.steps


def trials(found):
    return [(trial.configuration, trial.state, trial.scores) for trial in found.trials]


@pytest.fixture(scope="module")
def uninterrupted():
    """One study that several tests look at."""
    return nrpa.tune(Steep, **SETTINGS)


def test_a_study_finds_better_options_and_gives_up_bad_ones(uninterrupted):
    """The default is trial 0; what is given up was run on fewer pairs; the best was run on all of them."""
    assert uninterrupted.trials[0].configuration == {"solver": "gnrpa"}
    assert len(uninterrupted.trials) == 12
    given_up = [trial for trial in uninterrupted.trials if trial.state == "given up"]
    assert given_up
    assert all(4 <= len(trial.scores) < 6 for trial in given_up)
    best = uninterrupted.trials[uninterrupted.best]
    assert (best.state, len(best.scores)) == ("done", 6)
    assert sum(best.scores) > sum(uninterrupted.trials[0].scores)


def test_seeds_are_common_and_runs_can_be_repeated(uninterrupted):
    """Every score is that of a search with the seed of its pair."""
    for trial in (uninterrupted.trials[0], uninterrupted.trials[3]):
        options = {name: value for name, value in trial.configuration.items() if name != "solver"}
        for run, score in enumerate(trial.scores):
            assert nrpa.solve(Steep(), nrpa.GNRPA(**options), seed=1 + run, playouts=40).score == score


def test_a_study_that_is_stopped_again_and_again_ends_the_same(uninterrupted, tmp_path):
    """Stopped again and again, it makes the same trials, and no run twice; more trials go on from there."""
    out, asked = tmp_path / "a b?#%20.db", []

    def stop(progress):
        asked.append(progress)
        if len(asked) % 9 == 0:
            raise KeyboardInterrupt

    for _ in range(100):
        try:
            found = nrpa.tune(Steep, **SETTINGS, out=out, on_run=stop)
        except KeyboardInterrupt:
            continue
        break
    assert len(asked) > 50
    assert trials(found) == trials(uninterrupted)
    assert found.to_dict() == uninterrupted.to_dict()
    again = nrpa.tune(Steep, **SETTINGS, out=out, on_run=lambda progress: asked.append(progress.run))
    assert asked[-1] == again.fresh.wins + again.fresh.ties + again.fresh.losses + 8
    assert again.to_dict() == found.to_dict()
    more = nrpa.tune(Steep, **{**SETTINGS, "trials": 14}, out=out)
    assert trials(more)[:12] == trials(found)
    assert len(more.trials) == 14


def test_workers_change_nothing(uninterrupted):
    """Two processes make the same trials, those that are given up among them."""
    found = nrpa.tune(f"{FILE}:Knapsack", [str(EXAMPLES / "knapsack.txt")], **SETTINGS, only=["level", "alpha"])
    same = nrpa.tune(
        f"{FILE}:Knapsack", [str(EXAMPLES / "knapsack.txt")], **SETTINGS, only=["level", "alpha"], workers=2
    )
    assert trials(same) == trials(found)


def test_problems_as_objects_keep_their_options():
    """Instances of a script's own; only the solver is tuned, and a class by another name is refused."""
    problems = [nrpa.WeakSchur(2), nrpa.WeakSchur(3)]
    found = nrpa.tune(nrpa.WeakSchur, problems, **{**SETTINGS, "trials": 2, "runs": 2})
    assert "moves" not in found.trials[1].configuration
    with pytest.raises(InputError, match="instance 1 is a WeakSchur; expected a TSPTW"):
        nrpa.tune(nrpa.TSPTW, problems, **SETTINGS)


def test_a_configuration_that_cannot_be_run_fails_alone():
    """It is not the best, and is told with the reason; where it is the default, that is the error."""

    class Picky(Bits):
        rule = nrpa.Option("any", "Which.", ("any", "none"), tried=("any", "none"))

        def __init__(self, **options):
            super().__init__(**options)
            if self.rule == "none":
                raise InputError("nothing goes with the rule none")

    settings = {**SETTINGS, "trials": 3}
    found = nrpa.tune(Picky, only=["rule"], **settings)
    assert [(trial.state, trial.why) for trial in found.trials] == [
        ("done", ""),
        ("failed", "nothing goes with the rule none"),
    ]
    assert "1 failed" in found.summary()
    with pytest.raises(InputError, match="nothing goes with"):
        nrpa.tune(Picky, options={"rule": "none"}, **settings)


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (("tsptw",), {}, "tsptw needs at least one instance"),
        (("tsptw", ["rc201.1", "rc201.1"]), {}, "rc201.1 is given twice"),
        (("tsptw", ["rc201.1"]), {"holdout": ["rc201.1"]}, "rc201.1 is an instance to tune on, and held out"),
        (("tsptw", ["nowhere.txt"]), {}, "nowhere.txt: no such file"),
        (("tsptw", ["-"]), {}, "a file or a bundled name, not '-'"),
        (("hex",), {}, "is a game for 2 players"),
        ((Bits, ["a"]), {}, "Bits reads no instances, so 'a' cannot be one"),
        ((3,), {}, "expected the name or the class of a problem, not 3"),
        ((Bits,), {"time": 1.0, "playouts": 5}, "time and playouts cannot both be the budget"),
        ((Bits,), {"time": 0.0}, "time must be a positive number"),
        ((Bits,), {"trials": 0}, "trials must be a whole number of at least 1"),
        ((Bits,), {"runs": 0}, "runs must be a whole number of at least 1"),
        ((Bits,), {"runs": 10**12}, "runs must be at most"),
        ((Bits,), {"fresh_runs": 1}, "needs at least two pairs"),
        ((Bits,), {"solvers": []}, "expected at least one solver"),
        ((Bits,), {"solvers": ["nrpa", "nrpa"]}, "the solver nrpa is given twice"),
        ((Bits,), {"solvers": "greedy"}, "there is nothing to tune"),
        ((Bits,), {"workers": 0}, "workers must be a whole number"),
        ((Bits,), {"workers": 10**6}, "workers must be at most"),
        ((Bits,), {"out": "no/a.db"}, "no such directory"),
    ],
)
def test_bad_input_is_one_sentence(arguments, settings, message):
    """Before anything is run."""
    with pytest.raises(InputError, match=message):
        nrpa.tune(*arguments, **settings, on_run=lambda progress: pytest.fail("ran"))


def test_another_file_is_neither_read_nor_changed(tmp_path):
    """A text, another database, one of Optuna's own, and a study of something else."""
    out = tmp_path / "a.db"
    settings = {"playouts": 10, "trials": 1, "runs": 1, "fresh_runs": 2, "out": out}
    optuna = pytest.importorskip("optuna")
    out.write_text("not a database")
    with pytest.raises(InputError, match="was not written by `nrpa tune`"):
        nrpa.tune(Bits, **settings)
    assert out.read_text() == "not a database"
    out.unlink()
    with sqlite3.connect(out) as own:
        own.execute("CREATE TABLE mine (value)")
    own.close()
    before = out.read_bytes()
    with pytest.raises(InputError, match="was not written by `nrpa tune`"):
        nrpa.tune(Bits, **settings)
    assert out.read_bytes() == before
    out.unlink()
    optuna.create_study(storage=f"sqlite:///{out}", study_name="theirs")
    with pytest.raises(InputError, match="was not written by `nrpa tune`"):
        nrpa.tune(Bits, **settings)
    out.unlink()
    nrpa.tune(Bits, **settings)
    for change, what in (({"playouts": 11}, "playouts"), ({"only": ["level"]}, "options"), ({"seed": 2}, "seed")):
        with pytest.raises(InputError, match=f"was made with other {what}"):
            nrpa.tune(Bits, **{**settings, **change})


def test_a_damaged_file_is_a_sentence(tmp_path):
    """Configurations that are none, and text in place of numbers."""
    out = tmp_path / "a.db"
    settings = {"playouts": 10, "trials": 1, "runs": 1, "fresh_runs": 2, "out": out}
    nrpa.tune(Bits, **settings)
    before = out.read_bytes()
    for change in (
        "UPDATE trial_user_attributes SET value_json = '[1' WHERE key = 'configuration'",
        """UPDATE trial_user_attributes SET value_json = '{"solver": "os.system"}' WHERE key = 'configuration'""",
        "DELETE FROM trial_intermediate_values",
        "DROP TABLE trial_user_attributes",
    ):
        out.write_bytes(before)
        with sqlite3.connect(out) as own:
            own.execute(change)
        own.close()
        with pytest.raises(InputError, match=r"a\.db: is no file that `nrpa tune` can read"):
            nrpa.tune(Bits, **settings)


def test_optuna_is_asked_for_only_here(monkeypatch):
    """Without it, a sentence that says how to install it."""
    monkeypatch.delitem(sys.modules, "optuna", raising=False)
    monkeypatch.setattr("nrpa.search.clusters.find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r"needs the package optuna, which is not installed; pip install 'nrpa\[tune\]'"
    ):
        nrpa.tune(Bits, **SETTINGS)


def runs_in(out):
    with sqlite3.connect(f"file:{out}?mode=ro", uri=True) as own:
        return own.execute("SELECT trial_id, step, intermediate_value FROM trial_intermediate_values").fetchall()


def test_sigkill_loses_no_finished_run_and_repeats_none(tmp_path):
    """Killed in the middle of a trial, the same command goes on: the runs in the file stay, and none is added twice."""
    out = tmp_path / "a.db"
    arguments = [f"{FILE}:Knapsack", EXAMPLES / "knapsack.txt", "--playouts", 300, "--trials", 4, "--runs", 5]
    command = [sys.executable, "-m", "nrpa", "tune", *arguments, "--fresh-runs", 2, "--out", out, "-q"]
    process = subprocess.Popen([*map(str, command)])
    deadline = time.monotonic() + 120
    kept = []
    while len(kept) < 7 and time.monotonic() < deadline:
        time.sleep(0.02)
        if out.exists():
            try:
                kept = runs_in(out)
            except sqlite3.Error:
                continue
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = runs_in(out)
    assert len(kept) >= 7
    whole = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True)
    assert runs_in(out)[: len(kept)] == kept
    same = [str(word) if word != out else str(tmp_path / "b.db") for word in command]
    assert subprocess.run(same, check=True, capture_output=True, text=True).stdout == whole.stdout


def test_the_interval_decides_and_needs_six_pairs_that_differ():
    """By hand: paired differences with Student's t, in the sense of the objective, in percent for several instances."""
    found = Comparison.of([("a", 10.0 - d, 10.0) for d in (1.0, 2.0, 3.0, 1.0, 2.0, 3.0)], -1)
    assert (found.wins, found.ties, found.losses, found.difference.mean, found.in_percent) == (6, 0, 0, 2.0, False)
    assert 2.0 - found.difference.low == pytest.approx(2.5706 * 0.894427 / 6**0.5, rel=1e-4)
    assert found.is_proven
    few = Comparison.of([("a", 9.0, 10.0)] * 5 + [("a", 10.0, 10.0)], -1)
    assert (few.difference.low > 0, few.is_proven) == (True, False)
    worse = Comparison.of([("a", 9000.0, 10000.0), ("a", 8000.0, 10000.0)] * 3, 1)
    assert worse.text("points") == "better than the default on 0 of 6 pairs; points worse by 1,500 [925, 2,075]"
    assert (worse.is_proven, worse.is_worse) == (False, True)
    several = Comparison.of([("a", 9.0, 10.0), ("b", 1000.0, 1000.0)] * 3, -1)
    assert several.in_percent
    assert several.difference.mean == pytest.approx(5.0)
    assert several.text("cost").startswith("better than the default on 3 of 6 pairs (3 equal); cost better by 5 %")


def tuning(fresh, held_out=None, best=1):
    trials = nrpa.tune(Bits, playouts=5, trials=2, runs=1, fresh_runs=2, only=["level"]).trials
    options = {"tau": 1.2, "level": None, "bias": False, "moves": "all"}
    choices = ((nrpa.GNRPA(), {}), (nrpa.GNRPA(tau=1.2, level=None, bias=False), {"moves": "all"}))
    return Tuning("tsptw", ("my file",), "cost", 5.0, None, trials, best, options, {}, choices, fresh, held_out)


def test_what_is_not_proven_is_not_recommended():
    """The command is that of the best only where the interval says so; held-out instances have the last word."""
    better = Comparison.of([("a", 9.0, 10.0)] * 7, -1)
    equal = Comparison.of([("a", 9.0, 10.0), ("a", 11.0, 10.0)] * 7, -1)
    worse = Comparison.of([("a", 11.0, 10.0)] * 7, -1)
    found = tuning(better)
    assert (
        found.command
        == "nrpa solve tsptw 'my file' --solver gnrpa --tau 1.2 --level auto --no-bias --moves all --time 5"
    )
    assert (found.solver.tau, found.problem_options) == (1.2, {"moves": "all"})
    assert "It is better than the default with seeds" in found.summary()
    for fresh, held_out, words in (
        (equal, None, "No difference is proven with seeds that were not tuned on: keep the default."),
        (worse, None, "It is worse than the default with seeds"),
        (better, equal, "No difference is proven on the instances that were held out: keep the default."),
    ):
        found = tuning(fresh, held_out)
        assert found.command == "nrpa solve tsptw 'my file' --solver gnrpa --time 5"
        assert words in found.summary()
        assert "best was nrpa solve tsptw 'my file' --solver gnrpa --tau 1.2" in found.summary()
    assert "No configuration that was tried is better than the default" in tuning(None, best=0).summary()
