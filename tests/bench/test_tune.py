import sqlite3
import sys

import pytest
from killed import continued, stopped
from user_problems import EXAMPLES, Bits

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.tune import Tuning, _gain, _mean_gain, tuned_solvers

FILE = str(EXAMPLES / "knapsack.py")
SETTINGS = {"solvers": "gnrpa", "playouts": 40, "trials": 12, "runs": 6, "fresh_runs": 8}


class Steep(Bits):
    """Twelve bits; each that is not set makes the rest worthless, so that options matter."""

    steps = 12

    def score(self, state):
        return state.index(0) if 0 in state else self.steps


def trials(found):
    return [
        (trial.user_attrs["configuration"], trial.state.name, trial.intermediate_values) for trial in found.study.trials
    ]


@pytest.fixture(scope="module")
def uninterrupted():
    """One study that several tests look at."""
    return nrpa.tune(Steep, **SETTINGS)


def test_a_study_finds_better_options_and_gives_up_bad_ones(uninterrupted):
    """The default is trial 0; what is given up was run on fewer pairs; the best was run on all of them."""
    found = trials(uninterrupted)
    assert (found[0][0], len(found)) == ({"solver": "gnrpa"}, 12)
    given_up = [gains for _, state, gains in found if state == "PRUNED"]
    assert given_up
    assert all(4 <= len(gains) < 6 for gains in given_up)
    _, state, gains = found[uninterrupted.best]
    assert (state, len(gains)) == ("COMPLETE", 6)
    assert sum(gains.values()) > 0


def test_seeds_are_common_and_runs_can_be_repeated(uninterrupted):
    """Every gain is that of two searches with the seed of its pair."""
    for configuration, _, gains in trials(uninterrupted)[:4]:
        options = {name: value for name, value in configuration.items() if name != "solver"}
        for run, gain in gains.items():
            own, default = (
                nrpa.solve(Steep(), nrpa.GNRPA(**each), seed=1 + run, playouts=40).score for each in (options, {})
            )
            assert gain == _gain(own, default)


def test_the_default_is_what_solve_does():
    """Auto, with a solver beside it that has what is tuned; options that are given choose as they do for ``solve``."""
    for options, tuned, solvers in (
        ([], [], ["auto", "gnrpa"]),
        (["moves"], ["level", "bias_rule"], ["auto", "gnrpa"]),
        ([], ["chains"], ["auto", "tempering"]),
        (["alpha"], ["level"], ["gnrpa"]),
    ):
        assert tuned_solvers(nrpa.TSPTW, options, tuned) == solvers


def test_a_default_without_options_is_run_once_and_how_far_it_is_told():
    """In the first trial; the others are of the solver beside it. How many runs are left is told."""
    progress = []
    found = nrpa.tune("snake", "3", playouts=20, trials=4, runs=2, fresh_runs=2, only=["level"], on_run=progress.append)
    assert [configuration["solver"] for configuration, _, _ in trials(found)] == ["auto", "gnrpa", "gnrpa", "gnrpa"]
    first, last = progress[0], progress[-1]
    assert (first.done, first.total, first.left) == (0, 4 * 2 + 2 * 2, None)
    assert last.done == len([name for name in found.study.user_attrs if name.startswith("run ")])


def test_a_gain_has_no_unit():
    """Any factor leaves it as it is, and a penalty of a million counts as little more than a loss of everything."""
    assert _gain(-880.0, -1100.0) == pytest.approx(0.2)
    assert _gain(-8.8e8, -1.1e9) == pytest.approx(0.2)
    assert _gain(-1_000_900.0, -900.0) == pytest.approx(-1.0, abs=1e-3)
    assert (_gain(0.0, 0.0), _gain(0.0, 5.0), _gain(5.0, 0.0)) == (0.0, -1.0, 1.0)


def test_a_study_that_is_stopped_again_and_again_ends_the_same(uninterrupted, tmp_path, monkeypatch):
    """Stopped again and again, it makes the same trials, and no run twice; more trials go on from there."""
    out, runs, solve = tmp_path / "a b?#%20.db", [], nrpa.solve

    def stopping(*arguments, **named):
        if len(runs) % 9 == 8:
            runs.append("stopped")
            raise KeyboardInterrupt
        runs.append((arguments[1], named["seed"]))
        return solve(*arguments, **named)

    monkeypatch.setattr("nrpa.bench.distribute.solve", stopping)
    for _ in range(100):
        try:
            found = nrpa.tune(Steep, **SETTINGS, out=out)
        except KeyboardInterrupt:
            continue
        break
    done = [run for run in runs if run != "stopped"]
    assert (runs.count("stopped") > 4, len(done)) == (True, len({*done}))
    assert trials(found) == trials(uninterrupted)
    assert found.to_dict() == uninterrupted.to_dict()
    assert nrpa.tune(Steep, **SETTINGS, out=out).to_dict() == found.to_dict()
    assert [run for run in runs if run != "stopped"] == done
    monkeypatch.undo()
    before = trials(found)
    more = nrpa.tune(Steep, **{**SETTINGS, "trials": 14}, out=f"sqlite:///{out.rename(tmp_path / 'b.db')}")
    assert (trials(more)[:12], len(trials(more))) == (before, 14)


def test_a_configuration_is_not_run_twice():
    """A space of two: the other trials are told what these have found."""
    found = nrpa.tune(Steep, **{**SETTINGS, "trials": 6}, over={"level": (1, 2)}, only=["level"])
    assert len({(str(configuration), str(gains)) for configuration, _, gains in trials(found)}) == 3


def test_workers_change_nothing(uninterrupted):
    """Two processes make the same trials, those that are given up among them."""
    found = nrpa.tune(f"{FILE}:Knapsack", [str(EXAMPLES / "knapsack.txt")], **SETTINGS, only=["level", "alpha"])
    same = nrpa.tune(
        f"{FILE}:Knapsack", [str(EXAMPLES / "knapsack.txt")], **SETTINGS, only=["level", "alpha"], workers=2
    )
    assert trials(same) == trials(found)


def test_a_configuration_that_cannot_be_run_fails_alone():
    """It is not the best, and is told with the reason; where it is the default, that is the error."""

    class Picky(Bits):
        rule = nrpa.Option("any", "Which.", ("any", "none"), tried=("any", "none"))

        def __init__(self, **options):
            super().__init__(**options)
            if self.rule == "none":
                raise InputError("nothing goes with the rule none")

    settings = {**SETTINGS, "trials": 5}
    found = nrpa.tune(Picky, only=["rule"], **settings)
    failed = [trial.user_attrs["why"] for trial in found.study.trials if trial.state.name == "FAIL"]
    assert {*failed} == {"nothing goes with the rule none"}
    assert len(failed) < 5
    with pytest.raises(InputError, match="nothing goes with"):
        nrpa.tune(Picky, options={"rule": "none"}, **settings)


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (("tsptw",), {}, "tsptw needs at least one instance"),
        (("tsptw", ["rc201.1", "rc201.1"]), {}, "rc201.1 is given twice"),
        (("tsptw", ["rc201.1"]), {"holdout": ["rc201.1"]}, "the instance rc201.1 is given twice"),
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
        nrpa.tune(*arguments, **settings, on_trial=lambda trial: pytest.fail("ran"))


def test_another_file_is_not_used(tmp_path):
    """A text stays as it is; so does a study of something else."""
    out = tmp_path / "a.db"
    settings = {"solvers": "gnrpa", "playouts": 10, "trials": 1, "runs": 1, "fresh_runs": 2, "out": out}
    out.write_text("not a database")
    with pytest.raises(InputError, match=r"a\.db: is no file that `nrpa tune` can read and write"):
        nrpa.tune(Bits, **settings)
    assert out.read_text() == "not a database"
    out.unlink()
    nrpa.tune(Bits, **settings)
    for change, what in (({"playouts": 11}, "playouts"), ({"only": ["level"]}, "tried"), ({"seed": 2}, "seed")):
        with pytest.raises(InputError, match=f"was made with other {what}"):
            nrpa.tune(Bits, **{**settings, **change})


def test_what_is_held_out_may_change(tmp_path):
    """The trials stay; one instance may be given by its name alone."""
    settings = {"playouts": 5, "trials": 2, "runs": 1, "fresh_runs": 2, "only": ["level"], "out": tmp_path / "a.db"}
    first = nrpa.tune("snake", "3", **settings)
    second = nrpa.tune("snake", ["3"], **settings, holdout="4")
    assert (second.instances, trials(second)) == (("3",), trials(first))
    assert (second.held_out is None) == (second.best == 0)


def test_a_study_of_an_older_version_is_refused(tmp_path):
    """Its runs have other names."""
    optuna = pytest.importorskip("optuna")
    study = optuna.create_study(storage=f"sqlite:///{tmp_path / 'a.db'}", study_name="nrpa tune", direction="maximize")
    study.set_user_attr("description", {"problem": "Bits"})
    study.add_trial(optuna.trial.create_trial(value=0.0))
    with pytest.raises(InputError, match="was made with other problem; choose another file"):
        nrpa.tune(Bits, playouts=10, trials=1, runs=1, fresh_runs=2, out=tmp_path / "a.db")


def test_optuna_is_asked_for_only_here(monkeypatch):
    """Without it, a sentence that says how to install it."""
    monkeypatch.delitem(sys.modules, "optuna", raising=False)
    monkeypatch.setattr("nrpa.search.clusters.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs the package optuna, which is not installed; pip install '\.\[tune\]'"):
        nrpa.tune(Bits, **SETTINGS)


def runs_in(out):
    try:
        with sqlite3.connect(f"file:{out}?mode=ro", uri=True) as own:
            return own.execute("SELECT key, value_json FROM study_user_attributes WHERE key LIKE 'run %'").fetchall()
    except sqlite3.Error:
        return []


def test_sigkill_loses_no_finished_run_and_repeats_none(tmp_path):
    """Killed in the middle of a trial, the same command goes on: the runs in the file stay, and none is added twice."""
    out = tmp_path / "a.db"
    arguments = [
        f"{FILE}:Knapsack",
        EXAMPLES / "knapsack.txt",
        "--solver",
        "gnrpa",
        "--playouts",
        300,
        "--trials",
        4,
        "--runs",
        5,
    ]
    words = ["tune", *arguments, "--fresh-runs", 2, "-q", "--out"]
    stopped([*words, out], lambda: out.exists() and len(runs_in(out)) >= 7)
    kept = runs_in(out)
    assert len(kept) >= 7
    whole = continued(*words, out)
    assert runs_in(out)[: len(kept)] == kept
    assert continued(*words, tmp_path / "b.db") == whole


def test_the_mean_gain_needs_six_pairs_that_differ():
    """By hand: Student's t of the gains, in percent."""
    found = _mean_gain([0.01, 0.02, 0.03, 0.01, 0.02, 0.03])
    assert (found.mean, found.differ, found.is_proven) == (pytest.approx(2.0), 6, True)
    assert 2.0 - found.low == pytest.approx(2.5706 * 0.894427 / 6**0.5, rel=1e-4)
    assert not _mean_gain([0.1, 0.11, 0.12, 0.1, 0.11, 0.0]).is_proven
    assert _mean_gain([]) is None


def tuning(gains, held_out=()):
    study = nrpa.tune(
        Bits, solvers="gnrpa", playouts=5, trials=2, runs=1, fresh_runs=2, over={"level": (2, 4)}, only=["level"]
    ).study
    fresh = _mean_gain(gains)
    return Tuning(study, "tsptw", ("my file",), {"time": 5.0}, 1, fresh, _mean_gain(held_out), nrpa.GNRPA(), {})


def test_what_is_not_proven_is_not_recommended():
    """The command is that of the best only where the interval says so; held-out instances have the last word."""
    better, equal, worse = [0.1, 0.11] * 4, [0.1, -0.1] * 4, [-0.1, -0.11] * 4
    found = tuning(better)
    assert found.command in {
        f"nrpa solve tsptw 'my file' --solver gnrpa --level {level} --time 5.0" for level in (2, 4)
    }
    assert "The best is better than the default with seeds" in found.summary()
    for gains, held_out, where in (
        (equal, [], "with seeds that were not tuned on"),
        (worse, [], "with seeds that were not tuned on"),
        (better, equal, "on the instances that were held out"),
    ):
        found = tuning(gains, held_out)
        assert found.command == "nrpa solve tsptw 'my file' --solver gnrpa --time 5.0"
        assert f"No gain is proven {where}." in found.summary()
        assert "best was nrpa solve tsptw 'my file' --solver gnrpa --level" in found.summary()
