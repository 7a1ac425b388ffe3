"""Costs in plain Python that are compiled without a word from their authors."""

import functools
import importlib.util
import itertools
import math
import os
import pickle
import random
import re
import sys

import numpy as np
import pytest
from drawn_costs import drawn_cost

import nrpa
from nrpa.base.errors import DisagreementError, InputError, ProblemError
from nrpa.compiling import cost as costs
from nrpa.compiling import touched
from nrpa.modelling import cost_function

# So many functions are drawn: NRPA_DRAWN_COSTS=500 before a release.
DRAWN = int(os.environ.get("NRPA_DRAWN_COSTS", "40"))
TABLE = np.random.default_rng(1).integers(1, 100, (12, 12))
ROWS = TABLE.tolist()
TOUR = "tour is compiled as it stands, and a change of the sequence is evaluated by the terms that it touches."
CORNERS = [(3 * k % 11, 5 * k % 7) for k in range(12)]
SCALE = [1]
SEEN = []


def tour(order):
    total = 0
    for a, b in itertools.pairwise(order):
        total += ROWS[a][b]
    return total + ROWS[order[-1]][order[0]]


@pytest.fixture(autouse=True)
def short_sequences(monkeypatch):
    """Let changes be evaluated by terms where there are few, too."""
    monkeypatch.setattr(touched, "WORTH_OF_TERM", 0)


def sequences(problem, count, seed=5):
    """Return some drawn sequences of a problem."""
    chance = np.random.default_rng(seed)
    return [problem._drawn(chance).tolist() for _ in range(count)]


def require_right_changes(problem, before, chance):
    """Require that changes of a sequence change the score by what plain Python says, where that is derived."""
    function, n = problem.function, len(before)
    if not function.addresses[2]:
        return 0
    begin, between, end = sorted(chance.integers(n + 1, size=3).tolist())
    one, other = sorted(chance.integers(n, size=2).tolist())
    swapped = [*before]
    swapped[one], swapped[other] = before[other], before[one]
    turned = [*before[:begin], *before[begin:end][::-1], *before[end:]]
    moved = [*before[:begin], *before[between:end], *before[begin:between], *before[end:]]
    changes = [(turned, begin, begin, end)] if begin < end else []
    changes += [(swapped, one, other + 1, other + 1)]
    changes += [(moved, begin, between, end)] if begin < between < end else []
    changes += [(after, 0, -1, n) for after, *_ in changes]
    if not problem._is_order:
        changes.append(([*before[:one], (before[one] + 1) % n, *before[one + 1 :]], one, -1, one + 1))
    known = 0
    for after, *how in changes:
        arrays = np.array(after), np.array(before)
        words = np.array([*(each.ctypes.data for each in arrays), n, *how, 1])
        found = function._changing.ctypes(words.ctypes.data, words.nbytes)
        wanted = function.score(after) - function.score(before)
        assert math.isnan(found) or math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-7), (before, after, how)
        known += not math.isnan(found)
    return known


def compiled(problem):
    """Return a problem whose cost is compiled, or was refused."""
    costs.attach(problem)
    problem.function.expect(math.inf)
    return problem


@pytest.mark.parametrize("seed", range(DRAWN))
def test_drawn_costs_are_the_same_or_refused(seed, tmp_path):
    """No function gives another value than in plain Python, and most of them are compiled."""
    file = tmp_path / f"drawn_cost_{seed}.py"
    file.write_text(drawn_cost(seed))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    make = random.Random(seed).choice([nrpa.permutation, lambda n, cost: nrpa.assignment([n] * n, cost)])
    problem = compiled(make(module.N, module.cost))
    assert "differs" not in problem.function.how_computed, drawn_cost(seed)
    chance = np.random.default_rng(seed)
    for each in sequences(problem, 100):
        plain, found = problem.function.score(each), problem.function.score_in_search(each)
        assert math.isclose(plain, found, rel_tol=1e-10, abs_tol=1e-9), drawn_cost(seed)
        require_right_changes(problem, each, chance)


@pytest.mark.parametrize("solver", [nrpa.Tempering(), nrpa.GNRPA(level=2, iterations=20)], ids=lambda each: each.name)
def test_a_seed_gives_the_same_search(solver):
    """A search that compiles the cost finds what one in plain Python finds."""
    with nrpa.debug():
        plain = nrpa.solve(nrpa.permutation(12, tour), solver, playouts=200, seed=3)
    first = nrpa.solve(nrpa.permutation(12, tour), solver, playouts=200, seed=3)
    problem = compiled(nrpa.permutation(12, tour))
    found = nrpa.solve(problem, solver, playouts=200, seed=3)
    assert found.how_computed == TOUR
    assert (plain.solution, plain.cost) == (first.solution, first.cost) == (found.solution, found.cost)


def flows(place):
    return sum(ROWS[i][j] * ROWS[place[i]][place[j]] for i in range(12) for j in range(12))


def ranks(order):
    return -sum(ROWS[order[i]][order[j]] for i in range(12) for j in range(i + 1, 12))


def taken_together(taken):
    return -sum(ROWS[i][j] * taken[i] * taken[j] for i in range(12) for j in range(i))


@pytest.mark.parametrize(
    "make",
    [
        lambda: nrpa.permutation(12, tour),
        lambda: nrpa.permutation(12, flows),
        lambda: nrpa.permutation(12, ranks),
        lambda: nrpa.assignment([12] * 12, tour),
        lambda: nrpa.subset(12, taken_together, size=5),
    ],
    ids=["tour", "quadratic assignment", "linear ordering", "assignment", "subset"],
)
def test_changes_give_the_search_of_whole_costs(make):
    """A search by the terms that changes touch finds what one that evaluates whole sequences finds."""
    found = []
    for is_whole in (True, False):
        problem = compiled(make())
        assert "by the terms" in problem.function.how_computed
        if is_whole:
            problem.function.addresses[2] = 0
        search = nrpa.Tempering(3, period=50).start(problem, 1)
        search.advance(3000)
        found.append([search.memory.chains.games.move.tolist(), search.memory.chains.games.score.tolist()])
    assert found[0] == found[1]


def test_a_long_search_compiles_and_a_short_one_does_not():
    """The summary says so, and results keep it."""
    short = nrpa.solve(nrpa.permutation(12, tour), nrpa.Tempering(), playouts=500, seed=1)
    assert short.how_computed is None
    assert "how_computed" not in short.to_dict()
    long = nrpa.solve(nrpa.permutation(12, tour), nrpa.Tempering(), playouts=200_000, seed=1)
    assert long.summary().endswith(TOUR)
    assert nrpa.search.result.Result.from_json(long.to_json()) == long
    begun = nrpa.start(nrpa.permutation(12, tour), nrpa.Tempering(), seed=1)
    for _ in range(20):
        begun.advance(playouts=10_000)
    assert begun.result().how_computed == long.how_computed
    assert (begun.result().solution, begun.result().cost) == (long.solution, long.cost)


def counts(order):
    SEEN.append(order[0])
    return tour(order)


def extends(order):
    longer = order[1:]
    longer += [order[0] * 2]
    return sum(longer)


def prints(order):
    print(order)
    return tour(order)


def draws(order):
    return tour(order) + random.random() * 0


def writes(order):
    TABLE[0, 0] = 1
    return tour(order)


def weighs(order):
    load = [0] * 3
    for item in order:
        load[item % 3] += item / 2
    return max(load)


def generates(order):
    return sum(map(lambda item: (yield item), order)) if order is None else tour(order)


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (counts, "test_cost.py:.*in counts"),
        (extends, "test_cost.py:.*in extends:.*a list that is only read is changed in place; change a copy"),
        (prints, r"test_cost.py:.*print\(...\) does not compile; use nrpa.debug"),
        (draws, "test_cost.py:.*in draws: random does not compile"),
        (writes, "test_cost.py:.*in writes"),
        (weighs, "test_cost.py:.*in weighs.*a list of whole numbers gets a decimal one; begin with 0.0"),
        (generates, "a generator .* does not compile"),
        (functools.partial(tour), "is no function that begins with def or lambda; write one that calls it"),
        (lambda order: str(order).count("1"), "str.* does not compile; use numbers"),
    ],
    ids=["counts", "extends", "prints", "draws", "writes", "weighs", "generates", "partial", "text"],
)
def test_what_is_not_understood_runs_as_it_is(cost, said, capfd):
    """One sentence says the line and the reason; the search is that of plain Python."""
    problem = compiled(nrpa.permutation(12, cost))
    found = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
    assert "runs in plain Python: " in found.summary()
    assert re.search(said, found.how_computed)
    assert found.cost == nrpa.solve(nrpa.permutation(12, cost), nrpa.Tempering(), playouts=50, seed=1).cost
    capfd.readouterr()


def test_values_that_change_are_read_anew():
    """A search after a change of what the function reads is of the new values."""

    def cost(order):
        return order[0] * SCALE[0]

    problem = compiled(nrpa.permutation(5, cost))
    before = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
    SCALE[0] = -1
    try:
        after = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
        assert (before.cost, after.cost) == (0, -4)
    finally:
        SCALE[0] = 1


def worth(item):
    return item


def test_functions_that_change_are_read_anew(monkeypatch):
    """A search after a function of the module was written anew is of the new one."""
    problem = compiled(nrpa.permutation(5, lambda order: worth(order[0])))
    before = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
    monkeypatch.setitem(globals(), "worth", lambda item: -item)
    after = nrpa.solve(problem, nrpa.Tempering(), playouts=50, seed=1)
    assert (before.cost, after.cost) == (0, -4)


def test_a_pickled_problem_compiles_elsewhere(monkeypatch):
    """Other processes compile what is worth it there, after so many calls."""
    monkeypatch.setattr(cost_function, "WORTH_IT", 1000)
    problem = nrpa.permutation(12, tour)
    costs.attach(problem)
    other = pickle.loads(pickle.dumps(problem))
    found = [other.function.score_in_search(each) for each in sequences(problem, 20)]
    assert found == [problem.function.score(each) for each in sequences(problem, 20)]
    assert other.function.how_computed == TOUR


def test_values_of_two_kinds_are_not_compiled():
    """Machine code would take whole numbers for decimal ones."""
    problem = compiled(nrpa.assignment([[0.5, 1.5], [1, 2]], sum))
    assert "sum" in problem.function.how_computed
    problem = compiled(nrpa.assignment([[0.5, 1.5], [1, 2]], lambda values: values[0] + values[1]))
    assert "its values are not all whole numbers, or all decimal ones" in problem.function.how_computed
    problem = compiled(nrpa.assignment([[0.5, 1.5], [1.0, 2.0]], lambda values: values[0] + values[1]))
    assert "is compiled as it stands" in problem.function.how_computed
    assert [problem.function.score_in_search(each) for each in ([0, 0], [1, 1])] == [-1.5, -3.5]


def test_what_is_beyond_machine_code_is_asked_in_python():
    """Whole numbers beyond 64 bits, exceptions, and a score that float64 does not hold are as in plain Python."""

    def large(order):
        return (2**62 + order[0]) * 4 % 1000

    def fails(order):
        if order[0] == 3:
            raise KeyError("mine")
        return order[0]

    problem = compiled(nrpa.permutation(5, large))
    assert problem.function.how_computed.startswith("large is compiled as it stands")
    assert problem.function.score_in_search([1, 0, 2, 3, 4]) == -large([1])
    with pytest.raises(KeyError, match="mine"):
        nrpa.solve(compiled(nrpa.permutation(5, fails)), nrpa.Tempering(), playouts=200, seed=1)


N = 12
EXAMPLE = (np.random.default_rng(3).random((N, N)) * 100).tolist()
MIRROR = (TABLE + TABLE.T).tolist()
FROM_DEPOT = np.random.default_rng(4).integers(1, 100, (N + 1, N + 1)).tolist()


def ring(x):
    return sum(ROWS[x[k - 1]][x[k]] for k in range(len(x)))


def ring_by_modulo(x):
    total = 0
    for k in range(N):
        total += MIRROR[x[k]][x[(k + 1) % len(x)]]
    return total


def ring_by_zip(x):
    total, n = 0, len(x)
    for a, b in zip(x, x[1:] + x[:1], strict=True):
        if a > b and n:
            total += MIRROR[a][b]
        else:
            total -= 3
    return -total + 5


def decimals(x):
    return sum([EXAMPLE[a][b] for a, b in itertools.pairwise(x) if a != b]) - EXAMPLE[x[0]][x[-1]]


def places(x):
    total, late = 0, 0
    for k, item in enumerate(x, 1):
        if k % 2 == 0:
            continue
        cost = k * ROWS[0][item]
        total += cost
        late += max(0, cost - 300)
    return total + late


def apart(x):
    total = 0
    for i in range(2, len(x) - 1):
        total += TABLE[x[i], x[i - 2]] * i
    return total


def assigned(x):
    total = 0
    for i in range(N):
        row = ROWS[i]
        for j in range(N):
            total += row[j] * MIRROR[x[i]][x[j]]
    return total


def ordered(x):
    return sum(ROWS[x[i]][x[j]] for i in range(N) for j in range(i + 1, N))


def ordered_before(x):
    total = 0.0
    for i, a in enumerate(x):
        for j in range(i):
            total += EXAMPLE[a][x[j]]
    return total


def unpacked(x):
    total = 0
    for k in range(N):
        (a, b), (c, d) = CORNERS[x[k - 1]], CORNERS[x[k]]
        total += abs(a - c) + abs(b - d)
    return total


def beside(x):
    total = 0
    for k in range(2, 5):
        total += ROWS[0][k]
    return total + ROWS[x[2]][x[0]] + ROWS[x[5]][x[1]]


def begins_with_a_term(x):
    total = ROWS[x[-1]][x[0]] - 7
    for a, b in itertools.pairwise(x):
        total += ROWS[a][b]
    return total


def scaled(x):
    late = 0
    total = -sum(MIRROR[a][b] for a, b in itertools.pairwise(x))
    for k, item in enumerate(x):
        late += max(0, k * item - 20)
        total -= EXAMPLE[k][item]
    return SCALE[0] * 3.5 * (total + 2 * late - 4) / len(x) - ROWS[x[0]][x[1]]


def between_ends(x):
    route = [0] + [item + 1 for item in x] + [0]
    return sum(FROM_DEPOT[a][b] for a, b in itertools.pairwise(route)) + FROM_DEPOT[route[-2]][route[2]]


def from_depot(x):
    total = 0
    for k, (a, b) in enumerate(itertools.pairwise([N, *x])):
        total += max(0, FROM_DEPOT[a][b] - k)
    return total


SUMS = [unpacked, ring, ring_by_modulo, ring_by_zip, decimals, places, apart, assigned, ordered, ordered_before, beside]
SUMS += [begins_with_a_term, scaled, between_ends, from_depot]


@pytest.mark.parametrize("is_order", [True, False], ids=["order", "choices"])
@pytest.mark.parametrize("cost", SUMS, ids=lambda cost: cost.__name__)
def test_sums_by_the_terms_that_a_change_touches(cost, is_order):
    """Each kind of sum changes by what the whole function says, in plain Python."""
    problem = compiled(nrpa.permutation(N, cost) if is_order else nrpa.assignment([N] * N, cost))
    assert problem.function.why_whole == ""
    chance = np.random.default_rng(1)
    assert sum(require_right_changes(problem, each, chance) for each in sequences(problem, 200)) > 400


def carries(x):
    total, now = 0, 0
    for item in x:
        now += item
        total += max(0, now - 3 * item)
    return total


def largest(x):
    return max(ROWS[a][b] for a, b in itertools.pairwise(x))


def counted(x):
    total = 0
    for item in sorted(x):
        total += item
    return total


def twice(x):
    total = 0
    for item in x:
        total += item
    return total * total


def doubled(x):
    total = 0
    for item in x:
        total += item * item
    total *= 2
    return total


def floored(x):
    return sum(ROWS[a][b] for a, b in itertools.pairwise(x)) // 7


def by_what_is_read(x):
    return sum(ROWS[a][b] for a, b in itertools.pairwise(x)) / (1 + x[0])


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (carries, "now is carried from place to place"),
        (largest, r"max\(\.\.\.\) is carried from place to place"),
        (counted, r"a loop over sorted\(x\)"),
        (twice, r"total \* total is no sum"),
        (doubled, "augassign outside a loop"),
        (floored, r"sum\(...\) // 7 is no sum"),
        (by_what_is_read, r"sum\(...\) / \(1 \+ x\[0\]\) is no sum"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_is_no_sum_is_evaluated_as_a_whole(cost, said):
    """The line and the reason are said; the function is compiled."""
    problem = compiled(nrpa.permutation(N, cost))
    assert problem.function.how_computed.startswith(f"{cost.__name__} is compiled as it stands")
    assert re.search(rf"line \d+, {said}", problem.function.how_computed)
    assert not problem.function.addresses[2]


@pytest.mark.parametrize(("places", "is_derived"), [(60, False), (150, True)])
def test_few_terms_are_added_up_anew(places, is_derived, monkeypatch):
    """A change of a short tour touches too large a part of it."""
    monkeypatch.undo()
    table = np.random.default_rng(1).integers(0, 99, (places, places)).tolist()
    problem = compiled(nrpa.permutation(places, lambda x: sum(table[a][b] for a, b in itertools.pairwise(x))))
    assert bool(problem.function.addresses[2]) == is_derived
    assert ("all are sooner added up" in problem.function.how_computed) != is_derived


def test_a_change_that_is_wrong_ends_the_derived_sum():
    """Every so many calls, a change is compared with two whole sequences."""
    problem = compiled(nrpa.permutation(N, tour))
    order, changed = np.arange(N), np.roll(np.arange(N), 1)
    words = np.array([changed.ctypes.data, order.ctypes.data, N, 0, N - 1, N, 1])
    assert math.isnan(problem.function._refuted(words.ctypes.data, words.nbytes))
    assert not problem.function.addresses[2]
    assert "a change was not derived rightly" in problem.function.how_computed


def test_a_decimal_that_is_too_large_for_the_sum_refutes_no_change():
    """So a search does not depend on when changes are compared."""
    table = (np.random.default_rng(1).integers(1, 999, (150, 150)) / 7).tolist()

    def bonus(x):
        return sum(table[a][b] - (1e6 + 0.3 if a == 17 and b == 93 else 0) for a, b in itertools.pairwise(x))

    result = nrpa.solve(nrpa.permutation(150, bonus), nrpa.Tempering(chains=1), playouts=150_000, seed=2)
    assert result.cost < -900_000
    assert "by the terms that it touches" in result.how_computed


class Wrong(costs.TranslatedCost):
    """A translation that is wrong for orders that the comparison before a search may not meet."""

    def __init__(self, function, ranges):
        super().__init__(function, ranges)
        self.compiled = costs.source.inner(lambda order: 7 if order[0] == 1 and order[1] == 0 else tour_of(order))

    def differences(self, *given):
        raise ProblemError("it is wrong")


tour_of = costs.TranslatedCost(tour).compiled


def wrong(monkeypatch):
    """Return a problem whose cost differs compiled, which is not noticed before the search."""
    problem = nrpa.permutation(12, tour)
    problem.translate_by(Wrong)
    monkeypatch.setattr(problem.function, "_difference", lambda: "")
    problem.function.expect(math.inf)
    assert problem.function.how_computed.endswith("each sequence is evaluated as a whole (it is wrong).")
    return problem


def test_a_difference_before_the_search_is_said():
    """The function then runs as it is."""

    class Always(Wrong):
        def __init__(self, function, ranges):
            super().__init__(function, ranges)
            self.compiled = costs.source.inner(lambda order: order[0])

    problem = nrpa.permutation(12, tour)
    problem.translate_by(Always)
    problem.function.expect(math.inf)
    assert "tour runs in plain Python: tour differs compiled: " in problem.function.how_computed


def test_a_wrong_best_is_no_result(monkeypatch):
    """A new best that plain Python finds to be another ends the search with an error."""
    problem = wrong(monkeypatch)
    monkeypatch.setattr(costs, "attach", lambda problem: None)
    with pytest.raises(DisagreementError, match=r"tour differs compiled: .* in plain Python, 7.00 compiled"):
        nrpa.solve(problem, nrpa.Tempering(), playouts=20_000, seed=1)


def test_a_difference_within_the_search_ends_the_compiled_function(monkeypatch):
    """Every so many calls, plain Python is asked, too, and goes on where it differs."""
    problem = wrong(monkeypatch)
    data = np.array([1, 0, *range(2, 12)])
    found = problem.function._compared(data.ctypes.data, data.nbytes)
    assert found == -tour(data.tolist())
    assert "differs compiled" in problem.function.how_computed
    assert problem.function.score_in_search(data.tolist()) == found


def test_an_explanation_of_a_function():
    """A function is explained before there is a problem; anything else is refused."""
    assert nrpa.explain_cost(tour) == "tour is compiled as it stands."
    assert "counts runs in plain Python: " in nrpa.explain_cost(counts)
    line = tour.__code__.co_firstlineno + 2
    assert nrpa.explain_cost(nrpa.permutation(12, tour)) == f"{TOUR}\nline {line}: a sum over places"
    with pytest.raises(InputError, match="expected a function of a sequence, or its problem, not 5"):
        nrpa.explain_cost(5)


def test_a_diagnosis_says_how_a_cost_is_computed():
    """Its sentence on speed names the function."""
    found = nrpa.diagnose(nrpa.permutation(12, tour), playouts=100, seed=1)
    assert found.sentences[-1].endswith(TOUR)


def cells_by_calls(x):
    load = [0] * 30
    for a in x:
        load[abs(a - 3)] += 1
        load[max(a, 5)] = a
    load[0], load[1] = load[2] / 2, 1
    return sum(load)


def cells_of_decimals(x):
    load = [0] * 12
    for a in x:
        load[abs(a - 3)] = a / 2
    return sum(load)


def counted_from(x):
    return sum(k * a for k, a in enumerate(x, STARTS[0]))


def starts_later(x):
    best = 0
    for k, a in enumerate(x, START):
        best = max(best, k * a)
    return best


def read_twice(x):
    _sum1 = 0
    for a in x:
        _sum1 += a
    total = _sum1
    for a in x:
        _sum1 += TABLE[a, 0]
    return total


STARTS, START = [3], 3


@pytest.mark.parametrize("cost", [cells_by_calls, cells_of_decimals, counted_from, read_twice])
def test_lists_that_hold_numbers_are_those_of_python(cost):
    """A decimal number in a list of whole ones is not cut off."""
    problem = compiled(nrpa.permutation(N, cost))
    for each in sequences(problem, 20):
        assert problem.function.score_in_search(each) == problem.function.score(each) == -cost(each)


def test_numbers_that_are_written_into_a_loop_are_read_anew(monkeypatch):
    """A number that says where a loop begins is none of the function's own."""
    problem = compiled(nrpa.permutation(5, starts_later))
    before = nrpa.solve(problem, nrpa.Tempering(), playouts=300, seed=1)
    monkeypatch.setattr(sys.modules[__name__], "START", -30)
    after = nrpa.solve(problem, nrpa.Tempering(), playouts=300, seed=1)
    assert (before.cost, after.cost) == (12, 0)


def allowed(x):
    return sum(x[:3]) if x[0] < x[1] else float("inf")


def test_what_is_not_allowed_costs_the_same_compiled():
    """An infinite cost is written as a text in plain Python."""
    problem = compiled(nrpa.permutation(N, allowed))
    assert problem.function.how_computed.startswith("allowed is compiled as it stands")
    for each in sequences(problem, 20):
        assert problem.function.score_in_search(each) == problem.function.score(each)


def matched(x):
    n = 5
    match x[0]:
        case 0:
            pass
        case n:
            pass
    return n


def starred(*x):
    return len(x)


def added_arrays(x):
    return max(a * x[0] for a in WEIGHTS + WEIGHTS)


def list_anew(x):
    total, load = x[0], [1] * 3
    for a in load:
        total += a
        load = [5] * 3
    return total


def target_of_loop(x):
    total, load = 0, [0] * 3
    for load[0] in (0.5, 1.5):
        total += load[0] * x[0]
    return total


def targets(x):
    load = [0, 1, 2]
    load[0], load[1] = 1.5, 2
    return sum(load) * x[0]


def set_by_call(x):
    load = [0, 1, 2]
    load[abs(-2)] = 2.5
    return sum(load) * x[0]


def anew(x):
    total = 0
    for k, a in enumerate(x):
        total += k * a * a
    total = 0
    for k, a in enumerate(x):
        total += k * a
    return total


def copied(x):
    total = 0
    for k, a in enumerate(x):
        total += k * a
    same = total
    return same + x[0]


def left_out(x):
    waste = 0
    waste += sum(k * a * a for k, a in enumerate(x))
    return sum(k * a for k, a in enumerate(x))


def weight_anew(x):
    total, w = 0, 1
    for k, a in enumerate(x):
        total += w * a * k
    w = 2
    for a in x:
        total += w * a
    return total


def after_loop(x):
    total = 0
    for k, START in enumerate(x):  # noqa: N806
        total += k * START
    return total + START


def beside_pairs(x):
    total = 0
    for i in range(N):
        total += x[i] * i
        for j in range(N):
            total += ROWS[x[i]][x[j]]
    return total


def around_begin(x):
    total = 0
    for k in range(-1, N - 1):
        total += ROWS[x[k]][x[k + 1]]
    return total


def behind_begin(x):
    return sum(ROWS[x[k]][x[k - 2]] for k in range(1, N))


def large_beside_decimal(x):
    return LARGE[x[0] % 2] * 2 - 2**54


def penalties(x):
    return sum(EXAMPLE[a][b] + (1e14 if a > b else 0.0) for a, b in itertools.pairwise(x))


def test_sums_of_few_digits_are_found_by_the_function():
    """Terms that are far smaller than others are not lost beside them."""
    function, order = compiled(nrpa.permutation(N, penalties)).function, [*range(N)]
    assert "as a whole (some terms are far larger than others; let penalties be smaller)" in function.how_computed
    for each in (order, order[::-1]):
        assert math.isclose(function.score_in_search(each), -penalties(each), rel_tol=1e-9)


def read_before(x):
    total = factor if x[1] == 3 else x[0]  # noqa: F821
    factor = 2
    return total * factor


def own_sum(x):
    def sum(values):  # noqa: A001
        return 3 * len(values)

    return sum(x) + x[0]


WEIGHTS, LARGE = np.array([3, 1, 2]), [2**53 + 1, 0.5]


@pytest.mark.parametrize(
    "cost",
    [
        *(matched, starred, added_arrays, list_anew, target_of_loop, targets, set_by_call, anew, copied, left_out),
        *(weight_anew, after_loop, beside_pairs, around_begin, behind_begin, large_beside_decimal, own_sum),
    ],
    ids=lambda cost: cost.__name__,
)
def test_no_comparison_is_needed(cost):
    """What compiles has the value of plain Python before any sequence is compared."""
    problem = compiled(nrpa.permutation(N, cost))
    assert "differs" not in problem.function.how_computed
    assert "not derived rightly" not in problem.function.how_computed
    for each in sequences(problem, 20):
        assert problem.function.score_in_search(each) == problem.function.score(each) == -cost(each)


def test_a_builtin_of_the_module_is_its_own(monkeypatch):
    """A function of the module with the name of one of Python is called."""
    monkeypatch.setitem(globals(), "range", lambda n: [5, 6])
    monkeypatch.setitem(globals(), "sum", lambda values: 3 * values[0])
    for cost in (places, lambda x: sum(x) + x[1]):
        assert "differs" not in compiled(nrpa.permutation(N, cost)).function.how_computed


def unset(x):
    if x[0] < 4:
        t = 50
    return ROWS[0][t - 48]


def nothing(x):
    if x[0] == 5:
        return  # noqa: RET502
    return sum(x)


def to_negative_powers(x):
    return sum(2 ** (a - b) if k else a for k, (a, b) in enumerate(itertools.pairwise(x)))


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (read_before, "does not compile.* Variable 'factor' is not defined"),
        (unset, "differs compiled: UnboundLocalError in plain Python alone, for "),
        (to_negative_powers, r"evaluated as a whole \(OverflowError\)"),
        (nothing, r"runs in plain Python: (?!.*_fields)"),
    ],
    ids=["read before", "unset", "powers", "nothing"],
)
def test_what_fails_at_times_is_said(cost, said):
    """Machine code has no value where plain Python has none, and each reason is said."""
    assert re.search(said, compiled(nrpa.permutation(N, cost)).function.how_computed)


def test_a_sum_that_is_whole_by_chance_has_decimals():
    """The first sequence alone gives the whole number 0."""
    decimal = [[math.sqrt(1 + a + 3 * b) for b in range(N)] for a in range(N)]

    def later(x):
        return sum(decimal[x[i]][x[j]] for i in range(N) for j in range(i + 1, N) if x[i] > x[j])

    problem = compiled(nrpa.permutation(N, later))
    assert problem.function.why_whole == ""
    chance = np.random.default_rng(1)
    assert sum(require_right_changes(problem, each, chance) for each in sequences(problem, 20)) > 40
