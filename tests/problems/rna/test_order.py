"""Designs compared by several figures."""

import pickle
import random

import pytest

pytest.importorskip("RNA")

import RNA

import nrpa
from nrpa import InverseFolding

TARGET = "((((...((((...))))..((....))..))))"


def figures_of(sequence):
    """Return distance, places that differ, ensemble defect and probability, by the package as its manual says."""
    compound = RNA.fold_compound(sequence, RNA.md())
    structure, energy = compound.mfe()
    compound.exp_params_rescale(energy)
    compound.pf()
    return {
        "distance": RNA.bp_distance(structure, TARGET),
        "hamming": RNA.hamming_distance(structure, TARGET),
        "defect": compound.ensemble_defect(TARGET),
        "probability": compound.pr_structure(TARGET),
    }


def designs(number):
    """Return sequences whose pairs fit the target, of which some fold into it."""
    problem, generator = InverseFolding(TARGET), random.Random(1)
    for _ in range(number):
        moves = [generator.randrange(6 if j >= 0 else 4) for j in problem.instance.partner]
        yield problem.solution(moves if generator.random() < 0.5 else problem._improver.improved(moves))


@pytest.mark.parametrize("order", ["distance,defect", "probability", "hamming, probability", "defect distance"])
def test_designs_are_compared_figure_by_figure(order):
    """Each to its digits, by the search and by the check."""
    problem = InverseFolding(TARGET, order=order)
    keys = {}
    for sequence in designs(30):
        score, verdict = problem._evaluated(sequence.encode()), problem.check(sequence)
        assert verdict.score == pytest.approx(score, abs=1e-9)
        expected = figures_of(sequence)
        signs = {"distance": -1, "hamming": -1, "defect": -1e4, "probability": 1e4}
        names = order.replace(",", " ").split()
        keys[sequence] = [round(signs[name] * expected[name]) for name in names], score
        assert {name: verdict.figures[name] for name in expected} == pytest.approx(expected)
        assert [*verdict.figures][: len(names)] == names
    assert len(keys) > 20
    by_figures, by_score = (sorted(keys, key=lambda sequence: keys[sequence][part]) for part in (0, 1))
    assert [keys[sequence][0] for sequence in by_figures] == [keys[sequence][0] for sequence in by_score]


def test_a_search_goes_on_when_the_target_is_met():
    """Until its designs are surer of it; what it says can be checked and sent."""
    problem = InverseFolding(TARGET, order="distance,defect", forbid="AAAA")
    first, result = nrpa.solve(InverseFolding(TARGET), seed=1, playouts=200), nrpa.solve(problem, seed=1, playouts=200)
    assert (first.status, result.status) == ("target", "playouts")
    assert (result.figures["faults"], result.distance) == (0, 0)
    assert result.defect < first.defect / 2
    assert problem.check(result.solution).score == result.score
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.objective == problem.objective == nrpa.Result.from_json(result.to_json()).objective


def test_faults_come_first():
    """A design that breaks a demand is worse than any that breaks none."""
    problem = InverseFolding("((((....))))", order="distance", gc="0:0.5")
    met, kept = (problem.check(design) for design in ("GGGGAAAACCCC", "AAAAAAAAUUUU"))
    assert (met.figures["distance"], met.figures["faults"]) == (0, 2)
    assert (kept.figures["distance"], kept.figures["faults"]) == (4, 0)
    assert kept.score > met.score


def test_a_distance_alone_ends_the_search():
    """At 0, and nothing is worked out twice until it is forgotten."""
    problem = InverseFolding(TARGET, order="hamming")
    assert nrpa.solve(problem, seed=1, playouts=500).status == "target"
    folds = problem.fitness.folds
    assert problem._evaluated(b"A" * len(TARGET)) == problem._evaluated(b"A" * len(TARGET)) == -TARGET.count("(") * 2
    assert problem.fitness.folds == folds + 1
    problem.forget()
    problem._evaluated(b"A" * len(TARGET))
    assert problem.fitness.folds == folds + 2


def test_what_is_best_known_is_that_of_the_target_alone():
    """Where more is demanded, or other figures count, nothing is known."""
    load = InverseFolding.load
    assert load("eterna-v2-57").best_known.value == 1.0
    for option in ({"order": "defect"}, {"gc": "0.4:0.6"}, {"forbid": "AAAA"}):
        assert load("eterna-v2-57", **option).best_known is None
