"""Weak Schur partitions as a user meets them."""

import numpy as np
import pytest

from nrpa import NRPA, Auto, WeakSchur, solve
from nrpa.base.errors import InputError
from nrpa.engine.game import Game


@pytest.mark.parametrize(("parts", "number"), [(1, 2), (2, 8), (3, 23), (4, 66)])
def test_proven_numbers_are_found(parts, number):
    """A search reaches the weak Schur number of up to four parts, and stops there."""
    result = solve(WeakSchur(parts), NRPA(level=3), seed=1, playouts=300_000)
    assert (result.score, result.status) == (number, "optimal")
    assert result.figures["parts"] == parts


def test_the_bundled_instances():
    """The name is the number of parts; best known values come with it."""
    problem = WeakSchur.load("9", moves="repeat")
    assert (problem.parts, problem.best_known.value, problem.bound()) == (9, 22536, None)
    assert problem.options == {"moves": "repeat", "width": 0, "template": 3, "inner": 0, "known": False, "limit": 0}


def test_repeat_moves_go_further():
    """With many parts, the rule reaches far beyond what all moves do in as many playouts."""
    scores = [
        solve(WeakSchur(7, moves=moves, limit=3000), NRPA(level=2), seed=1, playouts=500).score
        for moves in ("all", "repeat")
    ]
    assert scores[1] > 1.5 * scores[0]


def test_rows_go_further():
    """A search in rows comes to more numbers, and the independent check accepts them."""
    result = solve(WeakSchur(7, width=13, template=2), NRPA(level=2), seed=1, playouts=5000)
    assert result.score > 900
    assert WeakSchur(7).check(result.solution).score == result.score


@pytest.mark.parametrize(
    ("parts", "width", "template"), [(3, 13, 3), (3, 13, 0), (3, 67, 1)], ids=["no-rows", "no-template", "too-wide"]
)
def test_bad_rows(parts, width, template):
    """A part is left for the rows, one at least repeats, and two rows are within the limit."""
    with pytest.raises(InputError, match="a part is left for the rows"):
        WeakSchur(parts, width=width, template=template)


def test_rows_start_from_no_solution():
    """A partition does not say which of its parts repeat."""
    with pytest.raises(InputError, match="a search in rows starts from no solution"):
        WeakSchur(3, width=4, template=1).moves_of([[1, 2], [3]])


def test_warm_start():
    """A partition becomes moves again, whatever the order of its parts."""
    problem = WeakSchur(2)
    assert problem.moves_of([[7, 6, 5, 3], [8, 4, 2, 1]]).tolist() == [0, 0, 1, 0, 1, 1, 1, 0]
    assert solve(problem, NRPA(level=1), seed=1, playouts=1, warm_start=[[1, 2, 4, 8], [3, 5, 6, 7]]).score == 8


def test_text():
    """What is drawn is read back; long lines are cut in the sketch only."""
    problem = WeakSchur(2)
    parts = [[1, 2, 4, 8], [3, 5, 6, 7]]
    assert problem.parse_solution(problem.draw(parts)) == parts
    assert problem.sketch([list(range(1, 400, 2))]).endswith(" …")
    assert (WeakSchur(3).label, WeakSchur.load("3").label) == ("3 parts", "3")


@pytest.mark.parametrize("text", ["0", "17", "three", "3 4", "3\n4", "", "# 3", "٣"])
def test_bad_instances(tmp_path, text):
    """What is no number of parts is refused with its line."""
    path = tmp_path / "parts"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"parts:[12]: expected only the number of parts, 1 to 16, found '"):
        WeakSchur.load(str(path))


@pytest.mark.parametrize("text", ["1-2-3", "5-3", "0", "-1", "x", "1000001", "1 2\n3 4.5"])
def test_bad_solution_texts(text):
    """The line and the word are named."""
    with pytest.raises(InputError, match=r"line [12]: expected a number from 1 to 1,000,000"):
        WeakSchur.parse_solution(text)


def test_auto_tempers_rows_too():
    """Of five parts and more, unless the caller chose; what they find are partitions of the instance."""
    problem = WeakSchur(8)
    forms = [(arm.problem.width, arm.problem.moves) for arm in Auto().arms_of(problem)]
    assert forms == [(42, "all"), (0, "repeat"), (0, "all")]
    assert len(Auto().arms_of(WeakSchur(8, moves="repeat"))) > 3
    rows = problem.hints().arms[0]
    game = Game(rows.model)
    parts = rows.solution(np.array(game.playout(lambda legal: legal[0], rows.max_steps)))
    assert rows.check(parts).score == game.value("score") > 0
    assert problem.solution(problem.moves_of(parts)) == parts
