"""Folding as users meet it."""

import pickle

import pytest

pytest.importorskip("RNA")

from nrpa import Folding, InputError, Origin, solve
from nrpa.cli.check import read_solution
from nrpa.problems.fold.energy import PSEUDOKNOT, stacking
from nrpa.problems.rna import vienna
from nrpa.problems.rna.vienna import folder

HAIRPINS = "GGGGAAAACCCCAGGCGAAAGCC"
KNOT = "GGGGGAACCCCCAACCCCCAAAAGGGGG"


def test_the_optimum_is_found_and_stops_the_search():
    """As proved by the exact algorithm."""
    result = solve(Folding(HAIRPINS), seed=1, playouts=100_000)
    assert result.status == "optimal"
    assert result.energy == result.optimum < 0
    assert result.structure == result.solution


def test_the_exact_fold_is_made_once_and_not_of_long_sequences(monkeypatch):
    """By bound, check, drawing and search together; beyond 1,000 bases there is no bound, and the optimum is lazy."""
    folds = []
    exact = vienna.LocalFolder.mfe
    monkeypatch.setattr(vienna.LocalFolder, "mfe", lambda self, bases: folds.append(len(bases)) or exact(self, bases))
    problem = Folding(HAIRPINS)
    result = solve(problem, seed=1, playouts=200)
    assert "optimal " in problem.draw(result.solution)
    assert problem.bound() == problem.check(result.solution).figures["optimum"]
    assert folds.count(len(HAIRPINS)) == 1
    sequence = HAIRPINS * 44
    problem = Folding(sequence)
    verdict = problem.check("." * len(sequence))
    assert (problem.bound(), verdict.score, "optimum" in verdict.figures) == (None, 0.0, False)
    assert "optimal " not in problem.draw("." * len(sequence))
    assert len(sequence) not in folds
    assert problem.optimum < 44 * Folding(HAIRPINS).optimum / 2


def test_pseudoknots_are_found_where_they_pay():
    """With the price of the model; the energy is below the optimum without."""
    sequence = "GGGGGGGAAAACGCGCGCAAACCCCCCCAAAAGCGCGCG"
    problem = Folding(sequence, pseudoknots=True)
    result = solve(problem, seed=1, playouts=20000)
    assert result.status == "playouts"
    assert result.crossings > 0
    assert result.energy < result.optimum


def test_the_energy_of_a_pseudoknot_is_that_of_the_documented_model():
    """The round layer by the package, stacks, ends and price of the square one by hand."""
    problem = Folding(KNOT, pseudoknots=True)
    structure = "(((((..[[[[[..)))))....]]]]]"
    assert len(structure) == len(KNOT)
    nested = problem.energy(structure.replace("[", ".").replace("]", ".").encode())
    assert problem.energy(structure.encode()) == pytest.approx(nested + PSEUDOKNOT - 4 * 3.3, abs=0.011)
    assert problem.check(structure).figures["energy"] == problem.energy(structure.encode())


def test_stacks_are_those_of_the_published_table():
    """Turner 2004 (NNDB): 5'-AA/UU -0.93, 5'-GC/CG -3.42, 5'-CG/GC -2.36, to the package's decimal."""
    stacks = stacking(folder("turner2004"))
    assert [stacks[key] for key in ("AAUU", "GCGC", "CGCG")] == [-0.9, -3.4, -2.4]
    assert len(stacks) == 36


def test_sequences_are_read_from_fasta_plain_text_and_the_name_itself(tmp_path):
    """T as U, lower case as capitals, several lines as one."""
    file = tmp_path / "seq.fa"
    file.write_text(">one\nggggaa\nAACCCC # end\n")
    assert Folding.load(str(file)).sequence == Folding.load("GGGGAAAACCCC").sequence
    assert Folding("gggtaaaaccc").sequence == "GGGUAAAACCC"
    assert Folding.load("GGGAAACCCA" * 26).sequence == "GGGAAACCCA" * 26


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; expected a sequence"),
        (">only a name\n", "is empty; expected a sequence"),
        ("ACGU\nACNU\n", ":2: expected A, C, G or U at position 3, found 'N'"),
        (">a\nACGU\n>b\nACGU\n", ": holds 2 instances (a to b); name one"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(tmp_path, text, message):
    """With file and line."""
    file = tmp_path / "seq.fa"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        Folding.load(str(file))
    assert str(error.value).startswith(str(file))
    assert message in str(error.value)


@pytest.mark.parametrize(("name", "message"), [("", "found nothing"), ("ACGN", "at position 4, found 'N'")])
def test_bad_sequences_on_the_command_line_are_refused(name, message):
    """Where no file is meant."""
    with pytest.raises(InputError, match=f"SEQUENCE: .*{message}"):
        Folding.load(name)


def test_a_sequence_that_cannot_pair_stays_open():
    """Its optimum is the open chain of energy 0."""
    result = solve(Folding("AAAA"), seed=1, playouts=2)
    assert (result.status, result.structure, result.energy) == ("optimal", "....", 0.0)


def test_a_pickled_problem_works_elsewhere():
    """The address of its callback is made anew."""
    problem = Folding(HAIRPINS)
    problem.origin = Origin("two")
    copy = pickle.loads(pickle.dumps(problem))
    assert (copy.label, copy.sequence) == ("two", HAIRPINS)
    assert solve(copy, seed=1, playouts=100_000).status == "optimal"


def test_bundled_sequences_have_their_optimum():
    """Under Turner 2004 as recorded."""
    problem = Folding.load("trna-phe")
    assert problem.best_known.value == problem.optimum


@pytest.mark.parametrize("structure", ["[[[[..(((..]]]]..)))", "[..]", "[[.\n"])
def test_a_structure_that_begins_like_json_is_read(tmp_path, structure):
    """Square brackets are pairs of a pseudoknot, not a list, where dots are among them."""
    (tmp_path / "structure").write_text(structure)
    claim = read_solution(Folding(HAIRPINS), str(tmp_path / "structure"))
    assert claim.solution == structure.strip()
