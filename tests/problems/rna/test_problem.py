"""Inverse folding as users meet it."""

import pickle

import pytest

pytest.importorskip("RNA")

from nrpa import InputError, InverseFolding, Origin, Result, solve

EASY = "(((((......)))))"


def test_a_target_is_solved_and_the_search_stops():
    """With the status target and every figure."""
    result = solve(InverseFolding(EASY), seed=1, playouts=100_000)
    assert result.status == "target"
    assert (result.fitness, result.distance, result.structure) == (1.0, 0, EASY)
    assert result.solution == result.sequence
    assert Result.from_json(result.to_json()).energy == result.energy < 0


def test_the_check_tells_of_the_ensemble(monkeypatch):
    """For targets that are not too long for it."""
    problem = InverseFolding("((((....))))")
    figures = problem.check("GGGGAAAACCCC").figures
    assert figures["gc"] == 0.6667
    assert 0.8 < figures["probability"] < 1 - figures["defect"] < 1
    monkeypatch.setattr("nrpa.problems.rna.problem.LONG", 11)
    assert "defect" not in problem.check("GGGGAAAACCCC").figures


def test_the_same_seed_gives_the_same_result():
    """However the run is sliced."""
    problem = InverseFolding("((.(.(...).).))..((...))")
    first, second = (solve(problem, seed=5, playouts=40) for _ in range(2))
    assert (first.score, first.solution, first.playouts) == (second.score, second.solution, second.playouts)


def test_a_search_gains_nothing_by_one_before_it():
    """The second folds as often as the first; within one nothing is folded twice."""
    target = "((.(.(...).).))..((...))"
    # The first search of a target in a process also plays games that validate it.
    solve(InverseFolding(target), seed=5, playouts=1)
    problem = InverseFolding(target)
    solve(problem, seed=5, playouts=40)
    folds = problem.fitness.folds
    assert problem.fitness.fold("GGCGCGAAACGCGCCAAGGAAACC") == problem.fitness.fold("GGCGCGAAACGCGCCAAGGAAACC")
    assert problem.fitness.folds <= folds + 1
    folds = problem.fitness.folds
    solve(problem, seed=5, playouts=40)
    assert problem.fitness.folds - folds >= folds - 1 > 0


def test_what_goes_wrong_while_folding_reaches_the_caller(monkeypatch):
    """As the exception it was, not as a score that is no number."""
    problem = InverseFolding(EASY)

    def broken(sequence):
        raise OSError("no more folds")

    monkeypatch.setattr(problem.fitness, "_evaluate", broken)
    with pytest.raises(OSError, match="no more folds"):
        solve(problem, seed=1, playouts=10)


def test_a_pickled_problem_works_elsewhere():
    """The address of its callback is made anew."""
    problem = InverseFolding(EASY)
    problem.origin = Origin("easy")
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.label == "easy"
    assert solve(copy, seed=1, playouts=100_000).status == "target"


def test_bundled_targets_are_found_by_name_and_by_title():
    """A title means the list that was made for the parameters."""
    by_name = InverseFolding.load("eterna-v2-57")
    assert InverseFolding.load("multilooping fun").target == by_name.target
    assert by_name.best_known.value == 1.0
    first = InverseFolding.load("multilooping fun", parameters="turner1999")
    assert first.target == "((.(..(.(....).(....).)..).(....).))" != by_name.target


def test_files_may_hold_comments_and_headers(tmp_path):
    """But one structure only."""
    file = tmp_path / "target"
    file.write_text("> name\n# note\n((...)) # end\n")
    assert InverseFolding.load(str(file)).target == "((...))"
    file.write_text("((...))\n\n((...))\n")
    with pytest.raises(InputError, match=f"{file}:3: expected nothing but `>NAME` after a structure"):
        InverseFolding.load(str(file))
    file.write_text("\n((..))\n")
    with pytest.raises(InputError, match=f"{file}:2: the hairpin loop between positions 2 and 5"):
        InverseFolding.load(str(file))
    file.write_text("\n")
    with pytest.raises(InputError, match="is empty"):
        InverseFolding.load(str(file))


def test_a_string_of_brackets_is_a_target_itself():
    """With its faults reported as such."""
    assert InverseFolding.load(EASY).label == EASY
    long = "(" * 150 + "..." + ")" * 150
    assert InverseFolding.load(long).target == long
    with pytest.raises(InputError, match="TARGET: the '\\(' at position 1 is never closed"):
        InverseFolding.load("(...")
    with pytest.raises(InputError, match="found nothing"):
        InverseFolding.load("")


def test_a_target_without_pairs_is_solved_too():
    """There K is 1 / (1 + distance)."""
    result = solve(InverseFolding("........"), seed=1, playouts=5)
    assert result.status == "target"


def test_a_long_target_warns_of_the_time_of_a_fold(caplog):
    """3,000 bases take about ten seconds a fold."""
    InverseFolding("." * 3000)
    assert "one fold of 3000 bases takes about 10 s" in caplog.text


def test_the_drawing_marks_where_the_structures_differ():
    """Below the target."""
    drawn = InverseFolding("((...))").draw("AAAAAAA").splitlines()
    assert [line.split()[0] for line in drawn[:3]] == ["sequence", "structure", "target"]
    assert drawn[3].count("^") == 4
