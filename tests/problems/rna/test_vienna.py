"""Parameter sets of ViennaRNA."""

import math
import sys
import threading
from functools import cache

import pytest
from threads import in_threads

from nrpa import InputError, InverseFolding
from nrpa.io.source import bundled
from nrpa.problems.rna import vienna
from nrpa.problems.rna.problem import check_design
from nrpa.problems.rna.structure import CAN_PAIR, pair_table


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    """And nothing else happens."""
    monkeypatch.setitem(sys.modules, "RNA", None)
    monkeypatch.setattr(vienna, "_folder_of", cache(vienna._folder_of.__wrapped__))
    with pytest.raises(InputError, match=r"pip install '\.\[rna\]'"):
        InverseFolding("((...))")


def test_an_unknown_parameter_set_is_refused():
    """By name."""
    with pytest.raises(InputError, match="parameters must be one of turner2004, turner1999, not 'dna'"):
        vienna.folder("dna")


def test_both_sets_in_one_process_give_their_own_energies():
    """Whichever was first, and also after both were used."""
    pytest.importorskip("RNA")
    for _ in range(2):
        for name, expected in vienna.PARAMETERS.items():
            assert vienna.folder(name).mfe(vienna.PROBE) == (expected.structure, expected.energy)


def test_the_program_around_keeps_its_parameters():
    """And may load others: the folders do not notice."""
    rna = pytest.importorskip("RNA")
    sequence = "GCGCUUAGGCACUAAGAUUGCCGAUUCGAACGGUCACCGGUAAUCCGAGUUACGCAUGGC"
    known = {name: vienna.folder(name).ensemble(sequence, "." * len(sequence)) for name in vienna.PARAMETERS}
    try:
        for load in (rna.params_load_RNA_Turner2004, rna.params_load_RNA_Andronescu2007):
            load()
            before = rna.fold_compound(sequence).mfe()
            for name, expected in vienna.PARAMETERS.items():
                folders = vienna.folder(name), vienna.LocalFolder(name)
                assert rna.fold_compound(sequence).mfe() == before
                load()
                for folder in folders:
                    folder.mfe("GGGAAAACCC")  # so that no fold compound is kept
                    assert folder.mfe(vienna.PROBE) == (expected.structure, expected.energy)
                    assert folder.energies(vienna.PROBE, [expected.structure], 0.0) == [expected.energy]
                    assert folder.ensemble(sequence, "." * len(sequence)) == known[name]
    finally:
        rna.params_load_RNA_Turner2004()


def test_a_set_in_its_own_process_answers_as_one_in_this():
    """Structures, energies and loops."""
    pytest.importorskip("RNA")
    here, there = vienna.folder("turner2004"), vienna.RemoteFolder("turner2004")
    sequence, structure = "GGGAAAACCC", "(((....)))"
    assert here.mfe(sequence) == there.mfe(sequence)
    assert here.energy(sequence, structure) == there.energy(sequence, structure)
    assert here.loop(sequence, structure, 1) == there.loop(sequence, structure, 1) == -3.3


def structures_of(sequence):
    """Yield all structures of a sequence, as tuples of pairs."""

    def of(first, last):
        if last - first < 4:
            yield ()
            return
        yield from of(first + 1, last)
        for partner in range(first + 4, last + 1):
            if sequence[first] + sequence[partner] in CAN_PAIR:
                for inside in of(first + 1, partner - 1):
                    for after in of(partner + 1, last):
                        yield ((first, partner), *inside, *after)

    return of(0, len(sequence) - 1)


@pytest.mark.parametrize("parameters", list(vienna.PARAMETERS))
def test_an_ensemble_is_the_sum_over_all_structures(parameters):
    """Of Boltzmann's weights by energies with dangles 2; in this process and another."""
    rna = pytest.importorskip("RNA")
    here, there = vienna.folder(parameters), vienna.RemoteFolder(parameters)
    model, sequence, target = rna.md(), "GGGAAACUCAGAAGUC", "(((...)))......."
    model.dangles = 2
    with vienna._parameters_kept(rna):
        getattr(rna, vienna.PARAMETERS[parameters].loader)()
        compound = rna.fold_compound(sequence, model)
    weights, wrong = {}, 0.0
    for pairs in structures_of(sequence):
        text = ["."] * len(sequence)
        for i, j in pairs:
            text[i], text[j] = "()"
        structure = "".join(text)
        weights[structure] = math.exp(-compound.eval_structure(structure) / 0.61632)
        partner, wanted = pair_table(structure), pair_table(target)
        wrong += weights[structure] * sum(a != b for a, b in zip(partner, wanted, strict=True))
    total = sum(weights.values())
    assert len(weights) > 100
    for folder in (here, there):
        defect, probability = folder.ensemble(sequence, target)
        assert probability == pytest.approx(weights[target] / total, rel=1e-3)
        assert defect == pytest.approx(wrong / total / len(sequence), rel=1e-3)
    assert 0.01 < probability < 0.99


def test_energies_of_several_structures_are_those_of_each():
    """In this process and another; they end with the first that is far enough below the first of all."""
    pytest.importorskip("RNA")
    sequence = "GGGAAAACCC"
    structures = ["..........", ".((....)).", "(((....)))", "((......))"]
    here = vienna.folder("turner2004")
    each = [here.energy(sequence, structure) for structure in structures]
    for folder in (here, vienna.RemoteFolder("turner2004")):
        assert folder.energies(sequence, structures, float("inf")) == each
        assert folder.energies(sequence, structures, each[0] - each[2]) == each[:3]
        assert folder.energies(sequence, structures, -100.0) == each[:2]


@pytest.mark.parametrize(("prefix", "parameters"), [("eterna-v1", "turner1999"), ("eterna-v2", "turner2004")])
def test_published_designs_fold_into_their_targets(prefix, parameters):
    """All of those of up to 110 bases in the bundled lists."""
    pytest.importorskip("RNA")
    folder = vienna.folder(parameters)
    rows = [row for row in bundled("rna").values() if row.name.startswith(prefix)]
    assert len(rows) == 100
    known = [row for row in rows if row.solution and row.size <= 110]
    assert len(known) > 50
    for row in known:
        verdict = check_design(folder, row.text, row.solution)
        assert verdict.valid
        assert verdict.score == 1.0


class Watched:
    """A stand-in for what threads must not enter at once: each waits for another a while."""

    def __init__(self):
        self.inside = self.most = self.entered = 0
        self._met = threading.Event()

    def enter(self):
        self.entered += 1
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside > 1:
            self._met.set()
        self._met.wait(timeout=0.1)
        self.inside -= 1


def test_threads_take_turns_with_the_fold_compound():
    """It is kept for all of them, beside its sequence."""
    pytest.importorskip("RNA")
    folder = vienna.LocalFolder("turner2004")
    watched, fold_compound = Watched(), folder._rna.fold_compound

    class Slow:
        @staticmethod
        def fold_compound(sequence, model, *options):
            watched.enter()
            return fold_compound(sequence, model)

    folder._rna = Slow
    sequences = [vienna.PROBE[k:] + vienna.PROBE[:k] for k in range(4)]
    found = in_threads(folder.mfe, sequences)
    assert found == [folder.mfe(sequence) for sequence in sequences]
    assert watched.most == 1


def test_threads_share_one_folder(monkeypatch):
    """Whichever asks first."""
    pytest.importorskip("RNA")
    watched = Watched()
    monkeypatch.setattr(vienna, "LocalFolder", lambda parameters: watched.enter())
    monkeypatch.setattr(vienna, "_folder_of", cache(vienna._folder_of.__wrapped__))
    in_threads(lambda k: vienna.folder("turner2004"), range(8))
    assert watched.entered == 1
