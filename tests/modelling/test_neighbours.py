"""Things of an order that go well one behind the other, by the terms of a cost or by β, and searches with them."""

import inspect
import itertools
import linecache

import numba
import numpy as np
import pytest

import nrpa
from nrpa.compiling import cost as costs
from nrpa.modelling.neighbours import NEIGHBOURS, best_of
from nrpa.modelling.sequence_kernels import compared_at
from nrpa.modelling.sequences import Permutation
from nrpa.solvers.tempering.search import TemperingSearch

N = 100
TABLE = np.random.default_rng(7).integers(0, 1000, (N, N))
ROWS = TABLE.tolist()
PLACES = np.random.default_rng(8).integers(0, 1000, (N, 2))
APART = np.rint(np.hypot(*(PLACES[:, None] - PLACES[None]).transpose(2, 0, 1))).astype(np.int64)
FAR = APART.tolist()


def by_pairs(x):
    return sum(ROWS[a][b] for a, b in itertools.pairwise(x)) + ROWS[x[-1]][x[0]]


def by_ring(x):
    return sum(ROWS[x[k - 1]][x[k]] for k in range(N))


def by_next(x):
    total = 0.0
    for k in range(N - 1):
        total += 0.5 * ROWS[x[k]][x[k + 1]]
    return total


def two_loops(x):
    total = 0
    for a, b in itertools.pairwise(x):
        total += ROWS[a][b]
    for k, item in enumerate(x):
        total += k * item
    for k in range(1, N):
        total += 3 * ROWS[x[k]][x[k - 1]]
    return total


@numba.njit
def jitted(x):
    total = 0
    for k in range(len(x)):
        total += TABLE[x[k - 1], x[k]]
    return total


def none_twice(x):
    return sum(ROWS[a][b] + 0 // (a - b) for a, b in itertools.pairwise(x))


def carried(x):
    total = 0
    for a, b in itertools.pairwise(x):
        total = total + ROWS[a][b] if ROWS[a][b] > 5 else 0
    return total


def by_place(x):
    return sum(k * ROWS[a][b] for k, (a, b) in enumerate(itertools.pairwise(x)))


def far(order):
    return sum(FAR[a][b] for a, b in itertools.pairwise(order)) + FAR[order[-1]][order[0]]


@numba.njit
def far_jitted(order):
    total = 0
    for k in range(len(order)):
        total += APART[order[k - 1], order[k]]
    return total


def attached(problem):
    """Return a problem as a search has it, which compiles a cost in plain Python."""
    costs.attach(problem)
    return problem


def lowest(table):
    """Return the things of the least entries of each row but its own, found by sorting; the next one first of two."""
    others = ([k for k in range(N) if k != thing] for thing in range(N))
    return [
        sorted(rest, key=lambda k: (table[thing][k], (k - thing) % N))[:NEIGHBOURS] for thing, rest in enumerate(others)
    ]


@pytest.mark.parametrize(
    ("cost", "table"),
    [
        (by_pairs, TABLE),
        (by_ring, TABLE),
        (by_next, TABLE),
        (jitted, TABLE),
        (none_twice, TABLE),
        (two_loops, TABLE + 3 * TABLE.T),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_neighbours_are_those_of_the_least_terms(cost, table):
    """Of all sums over two places side by side, in both languages, and in the debug mode."""
    assert attached(nrpa.permutation(N, cost)).neighbours().tolist() == lowest(table)
    with nrpa.debug():
        assert attached(nrpa.permutation(N, cost)).neighbours().tolist() == lowest(table)


def test_where_more_is_better_neighbours_are_those_of_the_most():
    """The objective says which is better."""
    profit = nrpa.Objective("profit", sign=1)
    assert attached(nrpa.permutation(N, by_pairs, objective=profit)).neighbours().tolist() == lowest(-TABLE)


@pytest.mark.parametrize("cost", [carried, by_place])
def test_what_is_no_sum_over_neighbours_has_none(cost):
    """Nor has a sum whose terms depend on the place."""
    assert len(attached(nrpa.permutation(N, cost)).neighbours()) == 0


def test_pairs_that_fail_are_no_neighbours():
    """The 8 best ones of thing 0, which may never be behind it."""
    allowed = [[int(a > 0 or b not in lowest(TABLE)[0]) for b in range(N)] for a in range(N)]
    problem = nrpa.permutation(N, lambda x: sum(ROWS[a][b] // allowed[a][b] for a, b in itertools.pairwise(x)))
    rest = (k for k in range(1, N) if allowed[0][k])
    assert attached(problem).neighbours()[0].tolist() == sorted(rest, key=lambda k: ROWS[0][k])[:NEIGHBOURS]


def test_the_bias_says_what_goes_well_behind_a_thing():
    """β by the thing before comes first; β by the place says nothing of neighbours."""
    bias = -np.vstack([TABLE, np.zeros(N)]) / 1000
    assert attached(nrpa.permutation(N, carried, bias=bias)).neighbours().tolist() == lowest(TABLE)
    assert len(attached(nrpa.permutation(N, carried, bias=bias[:N])).neighbours()) == 0


def test_best_things_are_taken_in_their_order():
    """Also where many are worth the same, and some are not known."""
    chance = np.random.default_rng(3)
    worth = np.where(chance.random((40, 40)) < 0.2, np.nan, chance.integers(0, 4, (40, 40)))
    for thing, best in enumerate(best_of(worth)):
        row = np.where(np.isnan(worth[thing]), -np.inf, worth[thing])
        rest = sorted((k for k in range(40) if k != thing), key=lambda k: (-row[k], (k - thing) % 40))
        assert [*best] == rest[:NEIGHBOURS]


def test_searches_with_neighbours_find_shorter_tours(monkeypatch):
    """So many games are behind at which both are far from the best."""
    problem, solver = nrpa.permutation(N, far_jitted), nrpa.Tempering(chains=1, anneals=True, period=50)
    with_them = nrpa.solve(problem, solver, playouts=60_000, seed=1).cost
    monkeypatch.setattr(Permutation, "may_have_neighbours", False)
    assert with_them < 0.97 * nrpa.solve(nrpa.permutation(N, far_jitted), solver, playouts=60_000, seed=1).cost


@pytest.mark.parametrize(
    ("solver", "cost"), [(nrpa.Auto(), far), (nrpa.Tempering(chains=3), far_jitted)], ids=["auto", "tempering"]
)
def test_the_same_seed_gives_the_same_search(solver, cost, tmp_path):
    """Plain (tempering: and jitted), with a budget that is longer, after checkpoints, and by two workers."""
    playouts, path = 90_000, tmp_path / "run.npz"
    plain = nrpa.solve(nrpa.permutation(N, far), solver, seed=3, playouts=playouts)
    assert plain.how_computed.endswith("Changes bring together what goes well one behind the other.")
    run = nrpa.start(nrpa.permutation(N, cost), solver, seed=3)
    for end in (10, 20_000, 47_001, playouts):
        run.advance(stop=nrpa.PlayoutLimit(end))
        run.save(path)
        run = nrpa.resume(path, nrpa.permutation(N, cost))
    assert run.result().solution == plain.solution
    run = nrpa.start(nrpa.permutation(N, cost), solver, seed=3)
    run.advance(stop=nrpa.PlayoutLimit(2 * playouts))
    within = [each for each in run.recorder.improvements if each.playouts <= playouts]
    assert within[-1].score == -plain.cost
    if isinstance(solver, nrpa.Tempering):
        shared = nrpa.solve(nrpa.permutation(N, cost), solver, seed=3, playouts=playouts, workers=2)
        assert shared.solution == plain.solution


@pytest.mark.parametrize(("places", "calls"), [(10, 2**15), (511, 2**15), (512, 2**16), (10_000, 39 * 2**15)])
def test_long_sequences_are_compared_less_often(places, calls):
    """Plain Python takes longer for them."""
    assert compared_at(np.zeros(places, np.int64)) == calls


def test_neighbours_are_found_again_where_the_function_has_changed():
    """A search of a problem that was searched before is that of a new one; another solver's is led by nothing."""
    table = [row.copy() for row in ROWS]
    problem = nrpa.permutation(N, lambda x: sum(table[a][b] for a, b in itertools.pairwise(x)))
    assert attached(problem).neighbours().tolist() == lowest(TABLE)
    assert "bring together" in problem.how_computed
    table[:] = TABLE.T.tolist()
    assert nrpa.solve(problem, nrpa.NMCS(level=1), playouts=10).how_computed is None
    assert attached(problem).neighbours().tolist() == lowest(TABLE.T)


def test_neighbours_that_are_known_early_are_used_as_late():
    """Several workers have them from the beginning."""
    solver = nrpa.Tempering(chains=1)
    early, late = (solver.start(attached(nrpa.permutation(N, far_jitted)), 1) for _ in range(2))
    early.load_code(whole=True)
    for search in (early, late):
        for playouts in (9_000, 5_000):
            search.advance(playouts)
    assert [*early.moves] == [*late.moves]


def test_an_interrupted_search_has_its_neighbours_later(monkeypatch):
    """Ctrl-C while they are found changes nothing."""
    solver, playouts = nrpa.Tempering(chains=1), 20_000

    def interrupted(problem):
        monkeypatch.undo()
        raise KeyboardInterrupt

    run = nrpa.start(nrpa.permutation(N, far), solver, seed=1)
    monkeypatch.setattr(Permutation, "neighbours", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.advance(playouts=playouts)
    run.advance(stop=nrpa.PlayoutLimit(playouts))
    assert run.result().solution == nrpa.solve(nrpa.permutation(N, far), solver, seed=1, playouts=playouts).solution


def test_workers_know_the_neighbours_that_the_search_knows(monkeypatch):
    """Processes have no text of a function that was typed in a notebook."""
    text = inspect.getsource(far)
    monkeypatch.setitem(linecache.cache, "<cell>", (len(text), None, text.splitlines(True), "<cell>"))
    typed = {"itertools": itertools, "FAR": FAR}
    exec(compile(text, "<cell>", "exec"), typed)
    solver = nrpa.Tempering(chains=2, period=50)
    alone, shared = (
        nrpa.solve(nrpa.permutation(N, typed["far"]), solver, seed=1, playouts=30_000, workers=workers)
        for workers in (1, 2)
    )
    assert "bring together" in alone.how_computed
    assert shared.solution == alone.solution


def test_a_search_that_lacks_its_neighbours_goes_on(monkeypatch, tmp_path):
    """The text of a function may be gone when a search is resumed."""
    run = nrpa.start(nrpa.permutation(N, far), nrpa.Tempering(chains=1), seed=1)
    run.advance(playouts=20_000)
    run.save(tmp_path / "run.npz")
    monkeypatch.setattr(TemperingSearch, "load_code", lambda search, whole=False: None)
    resumed = nrpa.resume(tmp_path / "run.npz", nrpa.permutation(N, far))
    resumed.advance(playouts=20_000)
    assert sorted(resumed.result().solution) == [*range(N)]
