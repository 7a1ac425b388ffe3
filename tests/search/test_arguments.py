"""What is no problem, no solver, or a bias for nobody."""

import pytest
from user_problems import Bits

import nrpa


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tsptw",), r"expected a problem such as nrpa.TSPTW.load\('rc204.1'\), not 'tsptw'"),
        ((Bits(), "gnarp"), r"unknown solver 'gnarp'; expected one of gnrpa, nrpa, .*auto, .*; did you mean gnrpa"),
        ((Bits(), 3), r"expected a solver such as nrpa.GNRPA\(\), or its name, not 3"),
        ((Bits,), r"Bits is a class; expected an instance of it, Bits\(...\)"),
        ((Bits(), nrpa.NRPA), r"NRPA is a class; expected an instance of it, NRPA\(...\)"),
    ],
)
def test_what_is_no_problem_and_no_solver(arguments, message):
    """Said before anything else happens."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.solve(*arguments, playouts=1)


@pytest.mark.parametrize(
    ("given", "limits", "name"),
    [(("mcps",), {}, "mcps"), ((nrpa.NMCS(level=1),), {}, "nmcs"), ((), {}, "auto"), ((), {"searches": 1}, "gnrpa")],
)
def test_a_solver_may_be_named_or_left_out(given, limits, name):
    """It is auto then, or GNRPA where top-level searches are counted, which auto does not end."""
    assert nrpa.solve(Bits(), *given, seed=1, playouts=10, **limits).solver == name


def test_what_is_no_problem_cannot_be_checked():
    """Neither a name nor a class."""
    with pytest.raises(nrpa.InputError, match="expected a problem such as"):
        nrpa.check_problem("tsptw")
    with pytest.raises(nrpa.InputError, match="Bits is a class"):
        nrpa.check_problem(Bits)


@pytest.mark.parametrize(
    ("solver", "remedy"),
    [
        (nrpa.NRPA(level=1), r"nrpa ignores it; use nrpa.GNRPA\(\)"),
        (nrpa.GNRPA(level=1, bias=False), r"gnrpa ignores it; expected GNRPA\(bias=True\)"),
        (nrpa.NMCS(level=1), r"nmcs ignores it; expected NMCS\(bias=True\)"),
        (nrpa.RandomSampling(), r"random ignores it; expected RandomSampling\(bias=True\)"),
    ],
)
def test_a_bias_that_the_solver_ignores_is_refused(solver, remedy):
    """Naming the solver, and what uses it."""
    with pytest.raises(nrpa.InputError, match=f"bias was given, but the solver {remedy}"):
        nrpa.solve(Bits(), solver, seed=1, playouts=1, bias=lambda state, move: 1.0)


@pytest.mark.parametrize(
    "solver", [nrpa.GNRPA(level=1), nrpa.NMCS(level=1, bias=True), nrpa.RandomSampling(bias=True), nrpa.Greedy()]
)
def test_a_bias_that_the_solver_uses(solver):
    """A strong one decides, but for the first move of NMCS, which tries all."""
    result = nrpa.solve(Bits(), solver, seed=1, playouts=1, bias=lambda state, move: 40.0 * move)
    assert result.score >= 9
