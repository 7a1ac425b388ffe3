import pytest

import nrpa
from nrpa.bench.space import Space
from nrpa.bench.tune_study import TuneStudy, gain


def study(pairs=6, path=None, **settings):
    numbered = [("a", seed) for seed in range(pairs)]
    return TuneStudy(path, Space(nrpa.TSPTW, ["gnrpa"], True, **settings), {}, numbered, 1)


def run(study, *scores):
    """Run the next trial; return it."""
    trial = study.begin()
    for seed, score in enumerate(scores):
        study.keep(trial.number, ("a", seed), score)
        study.count(trial, score)
        if trial.state != "running":
            break
    return trial


def test_a_gain_has_no_unit():
    """Any factor leaves it as it is, and a penalty of a million counts as little more than a loss of everything."""
    assert gain(-880.0, -1100.0) == pytest.approx(0.2)
    assert gain(-8.8e8, -1.1e9) == pytest.approx(0.2)
    assert gain(-1_000_900.0, -900.0) == pytest.approx(-1.0, abs=1e-3)
    assert (gain(0.0, 0.0), gain(0.0, 5.0), gain(5.0, 0.0)) == (0.0, -1.0, 1.0)


@pytest.mark.parametrize(
    ("own", "state", "runs"),
    [
        ([9.0, 9.1, 9.2, 9.3, 9.4, 9.5], "given up", 4),
        ([11.0, 11.1, 11.2, 11.3, 11.4, 11.5], "done", 6),
        ([10.0] * 6, "done", 6),
        ([9.0, 11.0, 9.0, 11.0, 9.0, 11.0], "done", 6),
    ],
)
def test_only_what_is_clearly_worse_is_given_up(own, state, runs):
    """After four pairs that all went against it; not where neither is better."""
    own_study = study()
    run(own_study, *[10.0] * 6)
    trial = run(own_study, *own)
    assert (trial.state, len(trial.scores)) == (state, runs)
    assert own_study.best.number == (1 if min(own) > 10 else 0)


def test_all_configurations_of_a_small_space_are_tried_once():
    """The default, five others, then none; a second study of the same seed draws the same."""
    studies, drawn = [study(1, only=["level"]) for _ in range(2)], []
    while (trial := run(studies[0], 1.0)) is not None and trial.state == "done":
        assert run(studies[1], 1.0).configuration == trial.configuration
        drawn.append(trial.configuration)
        if len(drawn) == 6:
            break
    assert sorted(str(each.get("level", 3)) for each in drawn) == ["1", "2", "3", "4", "5", "None"]
    assert studies[0].begin() is None


@pytest.mark.parametrize("lost", ["", "tell"], ids=["as it began", "before it was told to end"])
def test_a_trial_that_was_stopped_goes_on(tmp_path, monkeypatch, lost):
    """With its configuration; where all scores are there but not that it has ended, the last one ends it."""
    stopped = study(1, tmp_path / "a.db")
    if lost:
        monkeypatch.setattr(stopped._study, lost, lambda *_: None)
        run(stopped, 1.0)
    else:
        stopped.begin()
    again = study(1, tmp_path / "a.db")
    assert [(trial.state, trial.scores) for trial in again.trials] == [("running", [])]
    trial = run(again, 1.0)
    assert (trial.number, trial.state, trial.configuration) == (0, "done", {"solver": "gnrpa"})
