"""Snakes and coils as a user meets them."""

import numpy as np
import pytest

from nrpa import NRPA, Auto, Snake, resume, solve, start
from nrpa.base.errors import InputError
from nrpa.io.source import bundled
from nrpa.problems.snake.problem import BEGINS, COILS, SNAKE_BEGINS, SNAKES, check_path


@pytest.mark.parametrize("name", ["4", "5", "6", "coil-4", "coil-5", "coil-6"])
def test_the_longest_are_found(name):
    """Up to six dimensions, where the search stops at what is proved."""
    problem = Snake.load(name)
    result = solve(problem, NRPA(level=3), seed=1, playouts=200_000)
    assert (result.status, result.figures["edges"]) == ("optimal", problem.best_known.value)
    assert problem.check(result.solution).valid


def test_best_known_values_are_those_that_end_a_search():
    """Up to eight dimensions the table of instances and the proven bounds agree."""
    for name, row in bundled("snake").items():
        problem = Snake.load(name)
        assert problem.bound() == (COILS if problem.coil else SNAKES).get(problem.dimensions)
        assert problem.bound() in (None, row.best_known.value)
        assert bool(row.best_known.proven_by) == (problem.bound() is not None)


def test_warm_start_and_text():
    """A path is its moves; its text is read back."""
    problem = Snake(12)
    path = solve(problem, NRPA(level=1), seed=1, playouts=2).solution
    assert problem.moves_of(path).tolist() == path
    assert problem.parse_solution(problem.draw(path)) == path
    assert "a" in problem.draw(path)
    assert problem.draw([0, 1] * 50) == "01" * 40 + "\n" + "01" * 10
    assert (problem.label, Snake(3, coil=True).label) == ("snake in 12 dimensions", "coil in 3 dimensions")


@pytest.mark.parametrize(("name", "edges"), [("6", 26), ("coil-5", 12), ("coil-6", 24)])
def test_symmetric_paths(name, edges):
    """What is found is a whole path, and a search can begin with it."""
    problem = Snake.load(name, symmetric=True)
    result = solve(problem, NRPA(level=3), seed=1, playouts=20_000)
    assert result.score >= edges
    whole = Snake.load(name)
    assert whole.check(result.solution).valid
    assert solve(problem, NRPA(level=1), seed=1, playouts=1, warm_start=result.solution).score == result.score


def test_a_warm_start_without_the_symmetry():
    """It is refused in one sentence; so is a path with a fault."""
    with pytest.raises(InputError, match="the solution to start from is not symmetric"):
        Snake(4, symmetric=True).moves_of([0, 1, 2, 0])
    with pytest.raises(InputError, match="too near each other"):
        Snake(4, symmetric=True).moves_of([0, 0])


def test_coils_of_four_parts():
    """In 7 dimensions they reach the longest coil at once; a search can begin with it, and with no other."""
    problem, whole = Snake(7, coil=True, quarters=True), Snake(7, coil=True)
    result = solve(problem, NRPA(level=2), seed=1, playouts=3_000)
    assert (result.score, result.status, whole.check(result.solution).score) == (48, "optimal", 48)
    assert problem.solution(problem.moves_of(result.solution)) == result.solution
    with pytest.raises(InputError, match="the solution to start from is not symmetric"):
        problem.moves_of(solve(whole, NRPA(level=1), seed=1, playouts=5_000).solution)


@pytest.mark.parametrize("options", [{"coil": False}, {"dimensions": 6}])
def test_what_has_no_four_parts(options):
    """Snakes, and coils in few dimensions."""
    with pytest.raises(InputError, match="quarters: expected a coil in 7 dimensions or more"):
        Snake(**({"dimensions": 8, "coil": True} | options), quarters=True)


@pytest.mark.parametrize("coil", [False, True], ids=["snake", "coil"])
def test_paths_that_begin_with_a_smaller_snake(coil):
    """Every playout does; its score, solution and moves are those of the whole path."""
    problem, free = Snake(6, coil, begin="0123024321"), Snake(6, coil)
    result = solve(problem, NRPA(level=2), seed=1, playouts=2_000)
    assert result.solution[:10] == [0, 1, 2, 3, 0, 2, 4, 3, 2, 1]
    assert free.check(result.solution).score == result.score >= 18
    assert (problem.sha256, problem.bound()) == (free.sha256, free.bound())
    assert solve(problem, NRPA(level=1), seed=1, playouts=1, warm_start=result.solution).score == result.score
    with pytest.raises(InputError, match="the path to start from does not begin with 0123024321"):
        problem.moves_of([0, 1, 2, 4])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"begin": "010"}, "begin: vertices 1 and 4 of the path are too near"),
        ({"begin": "015"}, "begin: edge 3: expected a dimension, 0 to 4, found 5"),
        ({"begin": "0z"}, "begin: expected digits and letters a to d"),
        ({"begin": "01", "symmetric": True}, "begin: does not go together with symmetric or quarters"),
    ],
    ids=["chord", "dimension", "text", "symmetric"],
)
def test_what_no_path_begins_with(options, message):
    """It is refused in one sentence."""
    with pytest.raises(InputError, match=message):
        Snake(5, **options)


def test_an_open_coil():
    """It is a fault, and its score is below that of any coil."""
    verdict = Snake(3, coil=True).check([0, 1, 2])
    assert (verdict.faults, verdict.score) == (["the coil is not closed"], 0.375)


@pytest.mark.parametrize("text", ["1", "15", "coil", "coil 1", "7 coil", "7\n8", "", "x"])
def test_bad_instances(tmp_path, text):
    """What is no number of dimensions is refused with its line."""
    path = tmp_path / "cube"
    path.write_text(text)
    with pytest.raises(InputError, match=r"cube:[12]: expected only a number of dimensions, 2 to 14, or `coil` and"):
        Snake.load(str(path))


def test_dimensions_that_are_not_bundled():
    """They are named as the bundled ones; too many are refused with their number and why."""
    problem = Snake.load("coil-12")
    assert (problem.dimensions, problem.coil, problem.label, problem.best_known) == (
        12,
        True,
        "coil in 12 dimensions",
        None,
    )
    assert Snake.load("12").sha256 == Snake(12).digest()
    assert Snake.load("9").best_known.value == 191
    with pytest.raises(InputError, match="at most 14 dimensions can be searched, not 15, as edges are written as"):
        Snake.load("15")


def test_chords_are_those_of_all_pairs():
    """Whichever vertices a walk comes to, again and again; and those of a long snake of 12 dimensions are none."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        walk = rng.integers(0, 5, rng.integers(2, 14)).tolist()
        path = np.bitwise_xor.accumulate([0, *(1 << dimension for dimension in walk)]).tolist()
        near = [(i, j) for j in range(len(path)) for i in range(j - 1) if (path[i] ^ path[j]).bit_count() <= 1]
        assert Snake(5).check(walk).faults_counted == (not near)
        if near:
            assert f"vertices {near[0][0] + 1} and {near[0][1] + 1} of" in Snake(5).check(walk).faults[0]
    result = solve(Snake(12, begin="0123"), NRPA(level=1), seed=1, playouts=2)
    assert Snake(12).check(result.solution).score == result.score > 200


def test_bad_solution_text():
    """Anything else than digits and letters."""
    with pytest.raises(InputError, match="expected digits and letters a to d"):
        Snake.parse_solution("01z")


@pytest.mark.parametrize("coil", [False, True])
def test_auto_tempers_from_a_snake_of_a_dimension_less_too(coil):
    """Where there is one, and the caller has chosen neither a beginning nor symmetric paths."""
    for dimensions, begin in (BEGINS if coil else SNAKE_BEGINS).items():
        assert not check_path(dimensions - 1, False, Snake.parse_solution(begin)).faults
        problem = Snake(dimensions, coil=coil)
        forms = [arm.problem for arm in Auto().arms_of(problem)]
        assert [(form.begin, form.symmetric, form.quarters) for form in forms] == [
            (begin, False, False),
            ("", not coil, coil),
            ("", False, False),
        ]
    assert [arm.problem.quarters for arm in Auto().arms_of(Snake(7, coil))] == [True, False][not coil :]
    for single in (Snake(6, coil=coil), Snake(8, coil=coil, begin="012"), Snake(8, coil=coil, symmetric=False)):
        assert len(Auto().arms_of(single)) == 1


@pytest.mark.parametrize("coil", [False, True])
def test_what_an_arm_finds_is_a_path_of_the_instance(coil, tmp_path, monkeypatch):
    """Whatever its moves mean there: found by each, checked, begun with again, stopped and resumed."""
    monkeypatch.chdir(tmp_path)
    problem = Snake(8, coil=coil)
    run = start(problem, seed=1)
    run.advance(playouts=4000)
    run.save("run.npz")
    search = run._search
    assert all(arm.playouts for arm in search.searches)
    for arm in search.searches:
        path = arm.problem.solution(arm.moves)
        named = problem.solution(problem.moves_of(path))
        assert problem.check(named).score == problem.check(path).score == arm.score
        assert solve(problem, seed=2, playouts=10, warm_start=path).score >= arm.score
    assert run.result().score == max(arm.score for arm in search.searches)
    run.advance(playouts=4000)
    again = resume("run.npz", Snake(8, coil=coil))
    again.advance(playouts=4000)
    assert again.result().solution == run.result().solution
