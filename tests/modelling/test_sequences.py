"""Problems that are a function of a whole sequence."""

import itertools
import math
import pickle
from typing import NamedTuple

import numba
import numpy as np
import pytest

import nrpa
from nrpa.base.errors import InputError, ProblemError
from nrpa.engine.game import memoized
from nrpa.modelling import sequence_kernels
from nrpa.registry import solver_class, solvers

SOLVERS = [nrpa.Tempering(), nrpa.GNRPA(level=2, iterations=20)]


def distances(n, seed=0):
    return np.random.default_rng(seed).integers(1, 100, (n, n))


def tour(n, seed=0):
    """Return the cost of an order in plain Python, that of consecutive things and of places."""
    table = distances(n, seed).tolist()
    return lambda order: sum(table[i][j] + k for k, (i, j) in enumerate(itertools.pairwise(order)))


def compiled_tour(n, seed=0):
    """Return the same as a function that numba compiles, which allocates memory."""
    table = distances(n, seed)

    @numba.njit
    def cost(order):
        between = np.zeros(len(order) - 1)
        for k in range(len(order) - 1):
            between[k] = table[order[k], order[k + 1]] + k
        return between.sum()

    return cost


def agreement(values):
    return sum((a - b) ** 2 for a, b in itertools.pairwise(values)) + values[0]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
@pytest.mark.parametrize("make", [tour, compiled_tour], ids=["plain", "compiled"])
def test_the_best_order_is_found(make, solver):
    """Of 720 orders, the one of least cost by brute force is found, and its check says the same cost."""
    best = min(map(tour(6), itertools.permutations(range(6))))
    problem = nrpa.permutation(6, make(6))
    result = nrpa.solve(problem, solver, playouts=20_000, seed=1)
    assert result.cost == best == problem.check(result.solution).figures["cost"]
    assert sorted(result.solution) == [*range(6)]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
@pytest.mark.parametrize(
    "choices",
    [[3, 4, 2, 3], [[5, 7, 9], [1, 2], [4, 8, 16]], [[0.5, 1.5], [2, 3], [2.5, 0.25]], [2] * 5],
    ids=["counts", "values", "decimals", "equal"],
)
def test_the_best_choices_are_found(choices, solver):
    """Of all choices, the best by brute force are found, plain and compiled; a value is what the cost was given."""
    lists = [range(each) if isinstance(each, int) else each for each in choices]
    best = min(itertools.product(*lists), key=agreement)

    @numba.njit
    def compiled(values):
        return (np.diff(values) ** 2).sum() + values[0]

    for cost in (agreement, compiled):
        result = nrpa.solve(nrpa.assignment(choices, cost), solver, playouts=3000, seed=1)
        assert (result.cost, result.solution) == (agreement(best), [*best])


def test_the_best_subset_is_found():
    """A subset is given as n numbers 0 or 1."""
    weights = [5, 8, 13, 21, 34]
    problem = nrpa.subset(5, lambda taken: abs(47 - sum(w for w, one in zip(weights, taken, strict=True) if one)))
    result = nrpa.solve(problem, nrpa.Tempering(), playouts=500, seed=1)
    assert (result.cost, result.problem) == (0, "subset")
    assert set(result.solution) <= {0, 1}


def spread(n, seed=0):
    """Return the cost of a subset: how near the things that are taken are to each other, in plain Python."""
    table = distances(n, seed).tolist()
    return lambda taken: -sum(table[i][j] for i, j in itertools.combinations(range(n), 2) if taken[i] and taken[j])


def compiled_spread(n, seed=0):
    table = distances(n, seed)

    @numba.njit
    def cost(taken):
        total = 0
        for i in range(len(taken)):
            for j in range(i + 1, len(taken)):
                total += table[i, j] * taken[i] * taken[j]
        return -total

    return cost


@pytest.mark.parametrize("solver", [each for each in solvers.bundled if each != "pareto"])
@pytest.mark.parametrize("size", [1, 4, 8, 9])
def test_the_best_subset_of_a_size_is_found(size, solver):
    """Of all subsets of a size, every solver meets the best by brute force, and no subset of another size."""
    sizes, cost = set(), spread(9)
    best = min(cost([int(k in chosen) for k in range(9)]) for chosen in itertools.combinations(range(9), size))
    problem = nrpa.subset(9, lambda taken: sizes.add(sum(taken)) or cost(taken), size=size)
    few = {"level": 2, "iterations": 20} if solver in ("nrpa", "gnrpa") else {}
    result = nrpa.solve(problem, solver_class(solver)(**few), playouts=3000, seed=1)
    assert (result.cost, sum(result.solution), sizes) == (best, size, {size})
    assert problem.check(result.solution).figures == {"cost": best}


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_subsets_of_a_size_are_the_same_plain_and_compiled(solver):
    """The same seed gives the same search, however the cost is computed; a search begins with a given subset."""
    plain, compiled = (
        nrpa.solve(nrpa.subset(20, make(20), size=6), solver, playouts=2000, seed=2)
        for make in (spread, compiled_spread)
    )
    assert (plain.solution, plain.cost) == (compiled.solution, compiled.cost)
    again = nrpa.solve(nrpa.subset(20, spread(20), size=6), solver, playouts=1, seed=3, warm_start=compiled.solution)
    assert again.cost <= compiled.cost


def test_random_subsets_of_a_size_are_even():
    """Each thing is in as many random subsets as any other, whether they are played or the first ones of tempering."""
    for solver in ("tempering", "random"):
        times = np.zeros(12, np.int64)
        problem = nrpa.subset(12, lambda taken, times=times: 0 * np.add(times, taken, out=times)[0], size=3)
        nrpa.solve(problem, solver, playouts=100, seed=1)
        assert times.min() > 12
        assert times.max() < 40


def test_bias_leads_to_a_subset():
    """What counts is how much more β taking a thing has than leaving it."""
    wanted = [0, 1, 0, 0, 1, 1]
    bias = [[100, 100 + 50 * one] for one in wanted]
    problem = nrpa.subset(6, lambda taken: 0, size=3, bias=bias)
    assert nrpa.solve(problem, nrpa.GNRPA(level=1, iterations=1), playouts=1, seed=1).solution == wanted


def test_values_of_any_kind_reach_a_plain_cost():
    """A plain function is given the listed objects themselves; the solution has them as JSON can hold them."""
    given = []
    problem = nrpa.assignment([["a", "b"], [(1, 2), None]], lambda values: given.append(values) or len(str(values)))
    result = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
    assert all(first in ("a", "b") and second in ((1, 2), None) for first, second in given)
    assert result.solution in (["a", None], ["b", None])
    assert problem.check(["a", [1, 2]]).valid


def test_a_plain_function_is_called_once_a_game():
    """Beside the games, a cost is called a few times to try it out and to check the result."""
    calls = []
    cost = tour(8)
    nrpa.solve(
        nrpa.permutation(8, lambda order: calls.append(1) or cost(order)), nrpa.Tempering(), playouts=500, seed=1
    )
    assert 500 <= len(calls) <= 510


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_plain_and_compiled_do_the_same(solver):
    """The same seed and number of playouts give the same search, however the cost is computed."""
    plain, compiled = (
        nrpa.solve(nrpa.permutation(12, make(12)), solver, playouts=3000, seed=3) for make in (tour, compiled_tour)
    )
    assert (plain.solution, plain.cost, plain.playouts) == (compiled.solution, compiled.cost, compiled.playouts)


@pytest.mark.parametrize("is_compiled", [False, True], ids=["plain", "compiled"])
def test_parts_are_compared_in_their_order(is_compiled):
    """With a lexicographic objective the first part counts most."""
    objective = nrpa.Lexicographic(nrpa.Objective("first", -1), nrpa.Objective("second", 1, digits=1))

    def cost(order):
        return order[2], order[0] / 2

    problem = nrpa.permutation(4, numba.njit(cost) if is_compiled else cost, objective=objective)
    result = nrpa.solve(problem, nrpa.Tempering(), playouts=500, seed=1)
    assert problem.check(result.solution).figures == {"first": 0, "second": 1.5}


@pytest.mark.parametrize("is_compiled", [False, True], ids=["plain", "compiled"])
def test_infinite_cost_is_not_allowed(is_compiled):
    """An order of infinite cost is worse than any other, and not valid where nothing else is found."""

    def cost(order):
        return float(order[1]) if order[0] == 2 else np.inf

    def never(order):
        return np.inf

    made = numba.njit if is_compiled else lambda function: function
    result = nrpa.solve(nrpa.permutation(5, made(cost)), nrpa.Tempering(), playouts=2000, seed=1)
    assert (result.solution[:2], result.cost, result.valid) == ([2, 0], 0.0, True)
    result = nrpa.solve(nrpa.permutation(5, made(never)), nrpa.Tempering(), playouts=200, seed=1)
    assert (result.valid, result.cost, result.figures) == (False, None, {"cost": None})
    assert result.summary().startswith(
        "permutation: cost none, not valid: it is not allowed; a finite cost that counts "
    )


def fails(order):
    if order[0] == 3:
        raise KeyError("mine")
    return order[0]


def changes(order):
    order.sort()
    return 1


@pytest.mark.parametrize("is_compiled", [False, True], ids=["plain", "compiled"])
def test_what_a_function_raises_is_raised(is_compiled):
    """The author's own exception comes out of a search, from machine code, too."""
    problem = nrpa.permutation(5, numba.njit(fails) if is_compiled else fails)
    with pytest.raises(KeyError, match="mine"):
        nrpa.solve(problem, nrpa.Tempering(), playouts=200, seed=1)


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("item", [0, 3], ids=["at once", "later"])
def test_a_division_by_zero_in_machine_code_is_raised(item):
    """NumPy's numbers only warn of it in plain Python."""
    divides = numba.njit(lambda order: 1 // (order[0] - item))
    with pytest.raises(FloatingPointError, match="divide by zero"):
        nrpa.solve(nrpa.permutation(5, divides), nrpa.Tempering(), playouts=200, seed=1)


@pytest.mark.parametrize("is_compiled", [False, True], ids=["plain", "compiled"])
def test_a_number_is_no_tuple(is_compiled):
    """With several objectives the cost has a part for each."""
    both = nrpa.Lexicographic(nrpa.Objective("first", -1), nrpa.Objective("second", -1), most=100)
    cost = numba.njit(lambda order: order[0]) if is_compiled else lambda order: order[0]
    with pytest.raises(ProblemError, match=r"expected 2 numbers \(first, second\)"):
        nrpa.solve(nrpa.permutation(5, cost, objective=both), nrpa.Tempering(), playouts=200, seed=1)


COUNTED = itertools.count()


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (lambda order: math.nan, "returned nan; expected a number"),
        (lambda order: -math.inf, "returned -inf; expected a number"),
        (lambda order: "much", "returned 'much'; expected a number"),
        (lambda order: True, "returned True; expected a number"),
        (lambda order: 2**60 + 1, "expected a number that float64 holds"),
        (lambda order: next(COUNTED), "for one sequence, when called twice"),
        (changes, "changes the sequence that it is given"),
        (numba.njit(lambda order: order.nothing()), "does not compile.*test_sequences.py"),
        (numba.njit(lambda order: None), "returned None; expected a number"),
        (numba.njit(lambda order: (1, 2)), r"returned \(1, 2\); expected a number"),
    ],
    ids=["nan", "good", "text", "flag", "large", "differs", "changes", "compile", "nothing", "two"],
)
def test_a_function_that_is_none_is_refused(cost, said):
    """One sentence names the function and what is wrong with it."""
    with pytest.raises(ProblemError, match=said):
        nrpa.solve(nrpa.permutation(5, cost), nrpa.Tempering(), playouts=200, seed=1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: nrpa.permutation(0, agreement), "n must be a whole number of at least 1"),
        (lambda: nrpa.permutation(3, 5), "cost must be a function"),
        (lambda: nrpa.permutation(3, agreement, bias=[[1, 2]]), "bias must be a matrix of 3 x 3 or 4 x 3"),
        (lambda: nrpa.permutation(2, agreement, bias=[[1, 2], [0, math.inf]]), "bias must have finite numbers"),
        (lambda: nrpa.assignment(3, agreement), "choices must be how many for each place"),
        (lambda: nrpa.assignment([2, 0], agreement), "choices of place 2"),
        (lambda: nrpa.assignment([[1], []], agreement), "place 2 are values that differ, at least one; found none"),
        (lambda: nrpa.assignment([[1, 1]], agreement), "found 1 twice"),
        (lambda: nrpa.assignment([[1, True]], agreement), "found 1 and True, which are equal"),
        (lambda: nrpa.assignment([[(1, 0.0), (1.0, -0.0)]], agreement), "which are equal"),
        (lambda: nrpa.permutation(10**9, agreement), "n must be at most 1000000, not 1000000000"),
        (lambda: nrpa.subset(10**9, agreement), "n must be at most 1000000"),
        (lambda: nrpa.subset(5, sum, size=6), "size must be at most 5, not 6"),
        (lambda: nrpa.subset(5, sum, size=0), "size must be a whole number of at least 1"),
        (lambda: nrpa.subset(2, sum, size=1, bias=[[-200, 200], [0, 0]]), "must differ by at most 300"),
        (lambda: nrpa.assignment([10**9], agreement), "choices of place 1 must be at most 1000000"),
        (lambda: nrpa.assignment([["a"]], numba.njit(agreement)), "an array of numbers; 'a' is none"),
    ],
    ids=[
        "n",
        "cost",
        "shape",
        "bias",
        "choices",
        "count",
        "none",
        "twice",
        "equal",
        "zeros",
        "many",
        "things",
        "size",
        "empty",
        "far",
        "values",
        "text",
    ],
)
def test_wrong_arguments_are_refused(make, said):
    """One sentence names the argument and what was expected."""
    with pytest.raises(InputError, match=said):
        make()


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        ([0, 1], "a list of 3 values, not 2"),
        ([0, 1, 3], "value 3 must be at most 2, not 3"),
        ([0, 1, 1], "value 3 is 1, which is value 2, too"),
        ("012", "a list of 3 values"),
    ],
    ids=["short", "large", "twice", "text"],
)
def test_wrong_orders_are_faults(solution, said):
    """The check of a solution that is no order says why."""
    assert said in nrpa.permutation(3, agreement).check(solution).faults[0]


def test_subsets_of_another_size_are_faults():
    """The check of a solution says how many things it takes."""
    assert "2 things are taken; expected 1" in nrpa.subset(3, sum, size=1).check([1, 0, 1]).faults[0]


@pytest.mark.parametrize(("follows", "rows"), [(False, 4), (True, 5)], ids=["place", "previous"])
def test_bias_leads_playouts(follows, rows):
    """With a large β by place, or by the item before, one playout makes the order that β wants."""
    wanted = [2, 0, 3, 1]
    bias = np.zeros((rows, 4))
    for place, item in enumerate(wanted):
        bias[(wanted[place - 1] if place else 4) if follows else place, item] = 50
    problem = nrpa.permutation(4, lambda order: 0, bias=bias)
    assert nrpa.solve(problem, nrpa.GNRPA(level=1, iterations=1), playouts=1, seed=1).solution == wanted


def test_functions_of_other_data_are_other_instances():
    """The digest covers what a function has captured, its defaults and its code, and not where it is."""

    def scaled(by, more=0):
        return lambda order: by * order[0] + more

    def of(cost, n=3):
        return nrpa.permutation(n, cost).digest()

    assert of(scaled(2)) == of(scaled(2))
    others = [scaled(3), scaled(2, 1), scaled([2]), scaled([3]), scaled({"a": 1}), lambda order: order[1]]
    assert len({of(scaled(2)), of(scaled(2), 4), *map(of, others)}) == len(others) + 2


def test_a_lambda_goes_to_worker_processes():
    """Workers of a plain function are processes; the result is that of one worker, since chains are shared out."""
    results = [
        nrpa.solve(nrpa.permutation(9, tour(9)), nrpa.Tempering(), playouts=3000, seed=5, workers=workers)
        for workers in (1, 2)
    ]
    assert results[0].solution == results[1].solution


@pytest.mark.parametrize("make", [tour, compiled_tour], ids=["plain", "compiled"])
def test_a_problem_is_pickled(make):
    """A problem that was pickled gives the same costs and has the same digest."""
    problem = nrpa.permutation(7, make(7))
    again = pickle.loads(pickle.dumps(problem))
    order = [3, 1, 0, 2, 6, 5, 4]
    assert again.check(order) == problem.check(order)
    assert again.digest() == problem.digest()


def test_a_search_begins_with_a_given_order():
    """A warm start is the list that cost is given; no answer is worse."""
    problem = nrpa.permutation(30, tour(30))
    first = nrpa.solve(problem, nrpa.Tempering(), playouts=3000, seed=1)
    again = nrpa.solve(problem, nrpa.Tempering(), playouts=100, seed=2, warm_start=first.solution)
    assert again.cost <= first.cost


def test_a_contract_is_kept():
    """What ``check_problem`` asks of compiled problems holds."""
    for problem in (
        nrpa.permutation(6, tour(6)),
        nrpa.assignment([3, 2, 4], agreement),
        nrpa.subset(7, spread(7), size=3),
    ):
        assert nrpa.check_problem(problem).kept


class Wrong(NamedTuple):
    """The cells of orders whose kernel ``evaluate`` says something else than ``score``."""

    sequence: np.ndarray
    filled: np.ndarray
    made: np.ndarray
    taken: np.ndarray
    calls: np.ndarray


def evaluate(instance, state, sequence):
    return 1.0


nrpa.kernels(
    *(getattr(sequence_kernels, name) for name in ("reset", "legal_moves", "play", "choices")),
    evaluate,
    sequence_kernels.score,
)(Wrong)


def test_evaluate_must_agree_with_score():
    """The first games are also evaluated; a kernel that disagrees is named."""
    problem = nrpa.permutation(4, agreement)
    problem.new_state = lambda: Wrong(
        *(
            np.zeros(4, np.int64),
            np.zeros(1, np.int64),
            np.zeros(4, np.bool_),
            np.zeros(0, np.int64),
            np.zeros(1, np.int64),
        )
    )
    with pytest.raises(ProblemError, match=r"the kernel evaluate gave 1\.0 for a game of the score"):
        nrpa.solve(problem, nrpa.Tempering(), playouts=10, seed=1)


def test_a_sequence_to_start_from_is_not_played():
    """Tempering needs the moves and the score alone; what is no sequence is refused."""
    model = nrpa.permutation(5, lambda order: sum(k * item for k, item in enumerate(order))).model
    order = np.array([4, 3, 2, 1, 0])
    short, long = memoized(model, order, listed=False), memoized(model, order)
    assert short.score == long.score == -10
    assert (len(short.code), len(long.code)) == (0, 15)
    for wrong in ([4, 3, 2, 1, 1], [0, 1, 2, 3]):
        with pytest.raises(InputError, match="neither an order nor a choice for each place"):
            memoized(model, np.array(wrong), listed=False)
    model = nrpa.subset(5, sum, size=2).model
    assert memoized(model, np.array([4, 0]), listed=False).score == -2
    for wrong in ([1, 1], [0, 5], [0, -1], [0, 1, 2]):
        with pytest.raises(InputError, match="nor a set"):
            memoized(model, np.array(wrong), listed=False)


@pytest.mark.parametrize("most", [-1, 2])
def test_the_sequence_for_which_a_cost_fails_is_said(most):
    """At the first look, and in a search."""
    asked = []

    def cost(order):
        asked.append(order)
        return [0][len(asked) > most and 1]

    with pytest.raises(IndexError) as error:
        nrpa.solve(nrpa.permutation(3, cost), seed=1, playouts=9)
    assert error.value.__notes__ == [f"cost was given {asked[-1]}"]
