"""Parameter sets of ViennaRNA."""

import sys

import pytest

from nrpa import InputError, InverseFolding
from nrpa.io.source import bundled
from nrpa.problems.rna import vienna
from nrpa.problems.rna.check import check_design


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch):
    """And nothing else happens."""
    monkeypatch.setitem(sys.modules, "RNA", None)
    vienna._folder.cache_clear()
    try:
        with pytest.raises(InputError, match=r"pip install 'nrpa\[rna\]'"):
            InverseFolding("((...))")
    finally:
        vienna._folder.cache_clear()


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


def test_a_set_in_its_own_process_answers_as_one_in_this():
    """Structures, energies and loops."""
    pytest.importorskip("RNA")
    here, there = vienna.folder("turner2004"), vienna.RemoteFolder("turner2004")
    sequence, structure = "GGGAAAACCC", "(((....)))"
    assert here.mfe(sequence) == there.mfe(sequence)
    assert here.energy(sequence, structure) == there.energy(sequence, structure)
    assert here.loop(sequence, structure, 1) == there.loop(sequence, structure, 1) == -3.3


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
