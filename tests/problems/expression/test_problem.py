"""Expression discovery: values, known formulas, the change of symbols, what is refused."""

import math
import random

import numpy as np
import pytest
from plain_games import random_game

import nrpa
from nrpa.io.source import bundled
from nrpa.problems.expression.polish import FUNCTIONS, text_of, tree_of, value_in_python, value_of

POINTS = [[0.5, 1.0], [-1.0, 2.0], [2.0, -0.5]]


def worth_of(problem, symbols):
    """Return the score by Python's own reading of the text; None where it has no value."""
    errors = []
    for x, y in POINTS:
        try:
            value = eval(text_of(tree_of(symbols)), {**vars(math), "x1": x})
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        errors.append((value - y) ** 2)
    return -math.sqrt(sum(errors) / 3) / np.std([y for _, y in POINTS]) - problem.cost * len(symbols)


@pytest.mark.parametrize("seed", range(30))
def test_the_score_is_that_of_the_text(seed):
    """Of random expressions: by the state, by the check, and by Python; 1e6 where there is no value."""
    problem = nrpa.Expression(POINTS, length=8, functions=" ".join(FUNCTIONS)).plain
    moves, state = random_game(problem, random.Random(seed))
    symbols = problem.solution_of(moves)
    verdict, worth = problem.check(symbols), worth_of(problem, symbols)
    assert problem.own_moves(symbols) == moves
    assert problem.score(state) == pytest.approx(verdict.score)
    if worth is None:
        assert "the expression has no value" in verdict.faults[0]
        assert verdict.score < -1e5
    elif worth > -1e5:
        assert worth == pytest.approx(verdict.score)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_have_the_values_of_python(function):
    """Also where they have none."""
    for one in (-1e99, -2.5, 0.0, 1e-120, 0.7, 300.0, 1e99):
        for other in (-3.0, 0.0, 1e-120, 5.0):
            tree = (function, ("a",), ("b",))[: 1 + FUNCTIONS[function]]
            found = value_of([*FUNCTIONS].index(function), one, other)
            expected = value_in_python(tree, {"a": one, "b": other})
            assert math.isnan(found) if expected is None else found == expected


@pytest.mark.parametrize("name", bundled("expression"))
def test_the_best_known_expressions_cost_what_is_listed(name):
    """No bundled formula has an error."""
    problem = nrpa.Expression.load(name)
    verdict = problem.check(bundled("expression")[name].solution.split())
    assert verdict.valid
    assert verdict.figures["error"] < 1e-12
    assert verdict.figures["cost"] == pytest.approx(problem.best_known.value)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_symbol_is_better_after_improve(seed):
    """In no place, with as many arguments; and nothing gets worse."""
    problem = nrpa.Expression(POINTS, length=7).plain
    moves, state = random_game(problem, random.Random(seed))
    better = np.array(problem.improve(moves))
    score = problem.worth(better, len(better))
    assert score >= problem.score(state)
    for place in range(len(better)):
        for symbol in range(len(problem.symbols)):
            other = better.copy()
            other[place] = symbol
            if problem.arity[symbol] == problem.arity[better[place]]:
                assert problem.worth(other, len(other)) <= score


def test_an_expression_is_found():
    """The shortest of a product, in plain Python."""
    problem = nrpa.Expression([[x, x * x + x] for x in (-1, 0.5, 2, 3)], length=7, functions="+ *").plain
    solver = nrpa.GNRPA(level=1, iterations=30, improve=True)
    result = nrpa.solve(problem, solver, seed=1, playouts=200)
    assert result.cost == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y\n1,2\n3\n", "points:3: expected 2 numbers, as in the line before, found '3'"),
        ("x,y\n1,2\n3,a\n", "points:3: expected a number, found 'a'"),
        ("x,y\n", "points: expected points of one length, one at least"),
        ("sin,y\n1,2\n", "found 'sin'"),
        ("x,x,y\n1,2,3\n", "found 'x'"),
    ],
)
def test_what_are_no_points_is_refused(tmp_path, monkeypatch, text, message):
    """In a sentence that names the file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points").write_text(text)
    with pytest.raises(nrpa.InputError) as error:
        nrpa.Expression.load("points")
    assert message in str(error.value)
