"""What a caller or the author of a problem can give by mistake: each is one sentence."""

import numpy as np
import pytest
from user_problems import Bits

import nrpa

HUGE = 10**400
SOLVER = nrpa.GNRPA(level=1)


def solve(problem, **given):
    return nrpa.solve(problem, SOLVER, seed=1, playouts=5, **given)


@pytest.fixture(scope="module")
def tour():
    return nrpa.TSPTW.load("rc201.1")


@pytest.mark.parametrize("name", ["bias", "weights"])
@pytest.mark.parametrize(
    "given", [5, "x", object(), HUGE, {0: HUGE}, {0: None}, {0: [1]}, [HUGE] * 400, lambda code: HUGE, lambda code: "x"]
)
def test_an_odd_bias_or_weights(tour, name, given):
    """Of a compiled problem."""
    with pytest.raises(nrpa.InputError, match=rf"{name} must be|{name}: "):
        solve(tour, **{name: given})


@pytest.mark.parametrize("given", [5, "x", HUGE, {0: HUGE}, {0: [1]}, {0: None}])
def test_odd_weights_in_plain_python(given):
    """Where codes are anything hashable."""
    with pytest.raises(nrpa.InputError, match="weights must be"):
        solve(Bits(), weights=given)


@pytest.mark.parametrize(
    ("method", "returned", "message"),
    [
        ("legal_moves", None, "legal_moves returned None; expected a list"),
        ("legal_moves", 5, "legal_moves returned 5; expected a list"),
        ("score", None, "score returned None; expected a number"),
        ("score", "high", "score returned 'high'; expected a number"),
        ("score", HUGE, "score returned a number of over 300 digits"),
        ("bias", None, "bias returned None; expected a finite number"),
        ("bias", "x", "bias returned 'x'; expected a finite number"),
        ("bias", HUGE, "bias returned 1000.*; expected a finite number"),
        ("describe", None, "describe returned None; expected a dict"),
        ("describe", 5, "describe returned 5; expected a dict"),
        ("check", None, "check returned None; expected an nrpa.Verdict"),
        ("bound", "x", r"bound\(\) is 'x'; expected a number or None"),
        ("bound", HUGE, r"bound\(\) is 1000.*; expected a number or None"),
    ],
)
def test_an_odd_value_of_a_method(method, returned, message):
    """The class and the method are named."""
    odd = type("Odd", (Bits,), {method: lambda self, *arguments: returned})
    with pytest.raises(nrpa.ProblemError, match=f"Odd.*{message}"):
        solve(odd())


@pytest.mark.parametrize("adapt", [["plain"], np.array(["plain"]), None, 5])
def test_an_odd_adapt(adapt):
    """Only a text is one of the choices."""
    with pytest.raises(nrpa.InputError, match="adapt must be one of plain, memoized, optimized, not"):
        nrpa.GNRPA(adapt=adapt)


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("label", 5, "label is 5; expected text"),
        ("digest", lambda self: b"x", "sha256 is b'x'; expected text"),
        ("max_slice", "x", "max_slice must be a whole number of at least 1, not 'x'"),
        ("max_slice", 0, "max_slice must be a whole number of at least 1, not 0"),
        ("max_steps", 2.5, "max_steps must be a whole number of at least 1, not 2.5"),
        ("codes", [1], r"codes must be a whole number of at least 1, not \[1\]"),
        ("name", None, "name is None; expected text"),
        ("objective", "cost", "objective is 'cost'; expected an nrpa.Objective"),
        ("options", None, "options is None; expected a dict"),
        ("origin", "a file", "origin is 'a file'; expected an Origin"),
    ],
)
def test_an_odd_attribute(attribute, value, message):
    """The class and the attribute are named, before the search."""
    odd = type("Odd", (Bits,), {attribute: value})
    with pytest.raises(nrpa.ProblemError, match=f"Odd: {message}"):
        nrpa.start(odd(), SOLVER, seed=1)


@pytest.mark.parametrize("value", [None, 5, "x", object(), np.array(3), {}])
def test_an_odd_solution(value):
    """The check that finds it ends the search in a sentence."""
    odd = type("Odd", (Bits,), {"solution": lambda self, moves: value})
    with pytest.raises(
        nrpa.ProblemError, match=r"the search scored .* check None .*a solution is a list of moves, not"
    ):
        solve(odd())


def test_a_check_of_another_formula():
    """Where the check finds no fault, the message asks what is likely to be wrong."""

    def check(self, solution):
        return nrpa.Verdict({}, [], score=99.0)

    with pytest.raises(nrpa.ProblemError, match=r"check 99\.0; are score and check of the same formula\?$"):
        solve(type("Odd", (Bits,), {"check": check})())


def test_a_warm_start_of_no_dimension():
    """NumPy's arrays of one number cannot be iterated."""
    with pytest.raises(nrpa.InputError, match="a solution is a list of moves, not ndarray"):
        solve(Bits(), warm_start=np.array(3))


@pytest.mark.parametrize("missing", ["max_steps", "max_moves"])
def test_a_forgotten_limit_of_a_compiled_problem(missing):
    """The sentence shows the call."""
    limits = {"max_steps": 3, "max_moves": 3}
    del limits[missing]
    with pytest.raises(nrpa.ProblemError, match=rf"CompiledProblem: {missing} is not given; expected super\(\)"):
        nrpa.CompiledProblem(None, **limits)
