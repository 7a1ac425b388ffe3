"""What a caller or the author of a problem can give by mistake: each is one sentence."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from jobs_with_rest import Jobs, jobs_with
from user_problems import Bits

import nrpa
from nrpa.python import checks

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
        ("score", HUGE, "score returned a number of more than 40 digits"),
        ("score", "12", "score returned '12'; expected a number"),
        ("score", True, "score returned True; expected a number"),
        ("score", np.True_, r"score returned True; expected a number"),
        ("score", np.inf, r"score returned inf; expected a number from -1e\+100 to 1e\+100"),
        ("score", -2e100, r"score returned -2e\+100; expected a number from -1e\+100 to 1e\+100"),
        ("bias", None, "bias returned None; expected a finite number"),
        ("bias", "x", "bias returned 'x'; expected a finite number"),
        ("bias", HUGE, "bias returned a number of more than 40 digits; expected a finite number"),
        ("describe", None, "describe returned None; expected a dict"),
        ("describe", 5, "describe returned 5; expected a dict"),
        ("check", None, "check returned None; expected an nrpa.Verdict"),
        ("bound", "x", r"bound\(\) is 'x'; expected a number or None"),
        ("bound", "12", r"bound\(\) is '12'; expected a number or None"),
        ("bound", np.nan, r"bound\(\) is nan; expected a number or None"),
        ("bound", -1, r"a solution with score \d was found, but bound\(\) says that none can be better than -1;"),
        ("legal_moves", [0, 1, True], "legal_moves gave 1 and True, which are equal; expected moves that differ"),
        ("legal_moves", [(1, 2), (3,), (1, 2)], r"legal_moves gave \(1, 2\) twice; expected moves that differ"),
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


def test_a_check_without_a_score():
    """It says that the score is missing."""
    odd = type("Odd", (Bits,), {"check": lambda self, solution: nrpa.Verdict({})})
    with pytest.raises(nrpa.ProblemError, match="without a score"):
        solve(odd())


def test_a_score_of_random_numbers():
    """Where the check is not the author's, the message says that one solution has two scores."""
    odd = type("Odd", (Bits,), {"score": lambda self, state: random.random()})
    with pytest.raises(nrpa.ProblemError, match=r"the same solution has two scores \(0\.\d+ in the search, 0\.\d+ "):
        solve(odd())


@pytest.mark.parametrize("wrong", [{"bound": lambda self: math.nan}, {"goal": math.nan}, {"bound": lambda self: "x"}])
def test_a_bound_or_goal_that_is_no_number(wrong):
    """It is told before anything is searched, and by ``check_problem``; a tree search went on for ever."""
    name = "goal" if "goal" in wrong else r"bound\(\)"
    odd = type("Odd", (Bits,), wrong)()
    with pytest.raises(nrpa.ProblemError, match=f"^Odd: {name} is (nan|'x'); expected a number or None$"):
        nrpa.solve(odd, nrpa.UCT(), seed=1, playouts=20)
    assert not nrpa.check_problem(odd).kept


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


@pytest.mark.parametrize("number", [3, 3.0, np.float32(3), np.int8(3), np.array(3), Fraction(3), Decimal(3)])
def test_a_score_of_another_type_of_number(number):
    """Whatever is meant as a number."""
    assert solve(type("Odd", (Bits,), {"score": lambda self, state: number})()).score == 3.0


SOLVERS = [SOLVER, nrpa.NMCS(level=1), nrpa.RandomSampling(), nrpa.Tempering(chains=1), nrpa.GRAVE()]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_an_infinite_score_of_a_compiled_problem(solver):
    """Refused by every search, with the numbers that are taken; as plain Python, so that nothing is compiled."""
    with (
        nrpa.debug(),
        pytest.raises(nrpa.ProblemError, match=r"Jobs: the score .* infinite, or outside -1e\+100"),
    ):
        nrpa.solve(Jobs(6, must=1 << 50), solver, seed=1, playouts=5)


def test_an_infinite_score_to_start_from():
    """No solver is begun with it."""
    problem = Jobs(6)
    with nrpa.debug():
        first = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1)
        with pytest.raises(nrpa.ProblemError, match="infinite"):
            nrpa.solve(Jobs(6, must=1 << 50), SOLVER, seed=1, playouts=5, warm_start=first.solution)


def test_moves_are_not_merged_where_they_are_known_by_their_places():
    """A random game numbers only the moves of what it keeps; a game of its own is checked as well."""

    class Odd(Bits):
        def legal_moves(self, state):
            return () if len(state) == self.steps else (1, 1.0)

    with pytest.raises(nrpa.ProblemError, match=r"Odd: legal_moves gave 1 and 1\.0, which are equal"):
        nrpa.solve(Odd(), nrpa.RandomSampling(), seed=1, playouts=5)
    assert nrpa.check_problem(Odd()).faults == [
        "legal_moves gave 1 and 1.0, which are equal; expected moves that differ"
    ]


@pytest.mark.parametrize("solver", [SOLVER, nrpa.GRAVE()], ids=lambda solver: solver.name)
def test_a_score_that_only_rounds_beyond_the_bound_is_the_optimum(solver):
    """The bound of a sum is often another sum."""
    rounded = type("Rounded", (Bits,), {"score": lambda self, state: 0.1 * sum(state), "bound": lambda self: 1 - 1e-12})
    assert nrpa.solve(rounded(), solver, seed=1, playouts=2000).status == "optimal"


def test_a_score_of_the_bounds_value_with_a_tie_break_is_the_optimum():
    """Its score is above the least one of that value."""

    class Tied(Bits):
        objective = nrpa.Objective("bins", sign=-1, tie_break=0.5)

        def score(self, state):
            return -2.0 - 0.01 * sum(state)

        def bound(self):
            return 2

    assert nrpa.solve(Tied(), SOLVER, seed=1, playouts=5).status == "optimal"


@pytest.mark.parametrize(
    "score", [10**17 + 1, np.int64(2**53 + 1), -(10**18) - 5, Fraction(10**17 + 1), Decimal(10**17 + 1)]
)
def test_a_whole_number_that_float64_does_not_hold_is_refused(score):
    """As a score, a reward, a value, or what ``check`` returned; not rounded to one that others have as well."""
    message = r"Odd\.{} returned .*; expected a number that float64 holds, .* or return a tuple"
    odd = type("Odd", (Bits,), {"score": lambda self, state: score})()
    with pytest.raises(nrpa.ProblemError, match=message.format("score")):
        solve(odd)
    assert "expected a number that float64 holds" in nrpa.check_problem(odd).summary()
    with pytest.raises(nrpa.ProblemError, match=message.format("value")):
        checks.checked_value(odd, score, 1)
    with pytest.raises(nrpa.ProblemError, match=message.format("rewards")):
        checks.checked_rewards(odd, [0, score], 2)


@pytest.mark.parametrize("score", [-(10**18), 2**60, np.int64(2**53), 1e99])
def test_a_large_number_that_float64_holds_is_a_score(score):
    """A penalty such as -10^18 stays."""
    assert solve(type("Odd", (Bits,), {"score": lambda self, state: score})()).score == score


def score(instance, state):
    return 10**17 + state.sums[2]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_a_whole_score_of_a_compiled_problem_is_not_rounded(solver):
    """Where its kernel counts in whole numbers; as plain Python, so that nothing is compiled."""
    with nrpa.debug(), pytest.raises(nrpa.ProblemError, match="or whole and not held by float64"):
        nrpa.solve(jobs_with(score), solver, seed=1, playouts=9)


@pytest.mark.parametrize("name", ["goal", "bound"])
def test_a_goal_or_a_bound_that_float64_does_not_hold_is_refused(name):
    """And a target."""
    large = 10**17 + 1
    odd = type("Odd", (Bits,), {"goal": large} if name == "goal" else {"bound": lambda self: large})()
    with pytest.raises(nrpa.ProblemError, match="is 100000000000000001, which float64 does not hold"):
        solve(odd)
    with pytest.raises(nrpa.InputError, match="score 100000000000000001 is a number that float64 does not hold"):
        nrpa.solve(Bits(), SOLVER, seed=1, playouts=5, target=large)


def test_a_check_that_rounds_a_large_score_is_refused():
    """Numbers that differ by 1 beyond 2^53 agree but for rounding, and are not the same."""

    class Odd(Bits):
        def score(self, state):
            return 10**17

        def check(self, solution):
            return nrpa.Verdict({"score": 10**17 + 1}, score=10**17 + 1)

    with pytest.raises(nrpa.ProblemError, match="check returned the score 100000000000000001, the search 1e\\+17"):
        solve(Odd())


@pytest.mark.parametrize(("sign", "bound", "warned"), [(-1, None, True), (-1, -20, False), (1, None, False)])
def test_a_cost_that_was_not_negated_is_said(caplog, sign, bound, warned):
    """Unless a negative bound says that it is meant so."""
    named = {"objective": nrpa.Objective("makespan", sign=sign), "bound": lambda self: bound}
    solve(type("Odd", (Bits,), {**named, "score": lambda self, state: 1 + sum(state)})())
    assert ("with sign=-1 the score is minus the makespan" in caplog.text) == warned
