"""What each part of `auto` is worth, experiments/ablation.py: the searches without a part, and the table."""

from pathlib import Path

import pytest

import nrpa

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def ablation(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import ablation

    return ablation


def labels(ablation, part, problem):
    with ablation.around(part):
        return [arm.label for arm in ablation.PARTS[part]().arms_of(problem)]


def test_a_part_that_is_left_out_is_not_searched(ablation):
    """The other arms stay as they are; a part that is not there changes nothing."""
    folding = nrpa.Folding.load("bwyv")
    whole = labels(ablation, ablation.WHOLE, folding)
    for part, label in (
        ("GNRPA", "gnrpa"),
        ("the chain that anneals", "tempering by moves"),
        ("ten chains", ablation.TEN),
    ):
        assert labels(ablation, part, folding) == [each for each in whole if each != label]
    assert not ablation.matters("GNRPA", nrpa.Morpion("5D"))
    assert ablation.matters("hints", nrpa.Morpion("5D"))
    assert not ablation.matters("bias", nrpa.Morpion("5D"))
    assert len(labels(ablation, "hints", nrpa.Morpion("5D"))) > len(
        labels(ablation, ablation.WHOLE, nrpa.Morpion("5D"))
    )
    bias = [arm.solver.bias for arm in ablation.PARTS["bias"]().arms_of(nrpa.TSPTW.load("rc204.1"))]
    assert not any(bias)


def test_losses_are_paired_by_seed(ablation):
    """A loss is positive where `auto` without the part is worse; other seconds and unpaired seeds do not count."""
    rows = [
        {
            "group": "g",
            "problem": "p",
            "instance": str(i),
            "without": part,
            "seconds": seconds,
            "seed": str(seed),
            "score": str(score),
        }
        for i in range(6)
        for part, seconds, seed, score in [
            *((ablation.WHOLE, "1", seed, -100 - seed) for seed in range(-3, 3)),
            *(("bias", "1", seed, -109.95 - seed) for seed in (*range(-3, 3), 9)),
            ("bias", "2", 1, -999),
        ]
    ]
    assert "| bias | **+10.00 [10.00, 10.00]**, 6, 0 of 6 |" in ablation.ablation(rows, "1")
