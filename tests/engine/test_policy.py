"""The policy over 64-bit codes against a stack of dicts, and against the dense policy in a whole search."""

from dataclasses import replace

import numpy as np
import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.engine import policy as policies
from nrpa.engine.hash_table import FREE
from nrpa.engine.policy import (
    ENTRIES,
    HashedPolicy,
    copy_row,
    enlarged_policy,
    enter,
    hashed_policy,
    index_of,
    lacks_room,
    leave,
    lift,
    locate,
    lower,
    weight,
)
from nrpa.machine.jit import jit
from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.tsptw.problem import TSPTW

LEVELS = 3
MOST = 40


@jit
def begin(policy, level):
    enter(policy, level)


@jit
def end(policy, level):
    leave(policy, level)


@jit
def change(policy, level, code, count, factors, copies):
    """Change g of codes as an Adapt does, in place or in the work copy."""
    locate(policy, level, code, 0, count, -1)
    row = 0 if copies else level
    if copies:
        copy_row(policy, level, 0)
    for m in range(count):
        if factors[m] < 1.0:
            lower(policy, row, index_of(policy, code, m), factors[m])
        else:
            lift(policy, row, index_of(policy, code, m), factors[m])
    if copies:
        copy_row(policy, 0, level)


@jit
def look_up(policy, code):
    return weight(policy, 1, code)


@jit
def is_short_of_room(policy, codes):
    return lacks_room(policy, codes)


class Oracle:
    """A dict per level: entering copies the caller's, leaving forgets."""

    def __init__(self) -> None:
        self.stack: list[dict[int, float]] = [{}]

    def change(self, codes: np.ndarray, factors: np.ndarray) -> None:
        for code, factor in zip(codes.tolist(), factors.tolist(), strict=True):
            self.stack[-1][code] = self.stack[-1].get(code, 1.0) * factor


def code_pool(rng: np.random.Generator, kind: str) -> np.ndarray:
    """Return codes that are spread out, or small, or multiples of a large power of two, or near the reserved one."""
    if kind == "hashes":
        return rng.integers(-(2**63), 2**63, 3000, np.int64)
    if kind == "small":
        return np.arange(-1500, 1500)
    if kind == "shifted":
        return np.arange(3000) << 48
    return FREE + np.arange(3000)


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("kind", ["hashes", "small", "shifted", "reserved"])
def test_equals_a_stack_of_dicts(kind, copies):
    """Random entering, leaving, changing and enlarging give every code the g of the dicts, bit for bit."""
    rng = np.random.default_rng(7)
    pool = code_pool(rng, kind)
    policy, oracle, level = hashed_policy(LEVELS, MOST, copies), Oracle(), LEVELS + 1
    grown = 0
    for _ in range(1500):
        if is_short_of_room(policy, MOST):
            policy = enlarged_policy(policy)
            grown += 1
            assert not is_short_of_room(policy, MOST)
        action = rng.random()
        if level > LEVELS or (action < 0.06 and level > 1):
            level -= 1
            begin(policy, level)
            oracle.stack.append(dict(oracle.stack[-1]))
        elif action < 0.08:
            end(policy, level)
            oracle.stack.pop()
            level += 1
        else:
            count = int(rng.integers(1, MOST))
            codes = rng.choice(pool, count)
            factors = rng.choice([0.5, 0.75, 1.5, 2.0], count)
            change(policy, level, codes, count, factors, copies)
            oracle.change(codes, factors)
        for code in rng.choice(pool, 20).tolist():
            assert look_up(policy, code) == oracle.stack[-1].get(code, 1.0)
        assert policy.counter[ENTRIES] == len(oracle.stack[-1])
    assert grown > 0


def test_leaving_every_level_leaves_an_empty_table():
    """Once the levels have ended the table is as it was before, to the last slot."""
    rng = np.random.default_rng(3)
    policy, fresh = (hashed_policy(LEVELS, MOST, False, log=LEVELS * MOST) for _ in range(2))
    for level in range(LEVELS, 0, -1):
        begin(policy, level)
        change(policy, level, rng.integers(0, 2**60, MOST), MOST, np.full(MOST, 0.5), False)
    for level in range(1, LEVELS + 1):
        end(policy, level)
    np.testing.assert_array_equal(policy.table.word, fresh.table.word)
    np.testing.assert_array_equal(policy.logged, fresh.logged)
    assert policy.counter[ENTRIES] == 0


def test_looking_up_interns_nothing():
    """A playout's look-ups leave the table empty."""
    policy = hashed_policy(LEVELS, MOST, False)
    assert [look_up(policy, code) for code in (0, 1, -5, 2**62)] == [1.0] * 4
    assert policy.counter[ENTRIES] == 0


class HashedTSPTW(TSPTW):
    """TSPTW whose codes are treated as if they were hashes."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.codes = None


@pytest.mark.parametrize("adapt", ["plain", "memoized", "optimized"])
def test_a_search_equals_that_of_the_dense_policy(adapt):
    """On a problem with few codes both policies give the same search, bit for bit."""
    solver = nrpa.GNRPA(level=3, iterations=12, bias=False, adapt=adapt)
    searches = [problem.load("rc201.1") for problem in (TSPTW, HashedTSPTW)]
    dense, hashed = (nrpa.solve(problem, solver, seed=5, playouts=2000) for problem in searches)
    assert dense.score == hashed.score
    assert dense.solution == hashed.solution
    improvements = [[(point.playouts, point.score) for point in run.improvements] for run in (dense, hashed)]
    assert improvements[0] == improvements[1]


@pytest.fixture(scope="module")
def board() -> SameGame:
    """Return a board small enough for the table to begin small."""
    return SameGame(np.random.default_rng(1).integers(0, 4, (7, 6)), selective=False)


def run(board: SameGame, solver: nrpa.GNRPA, slots: int, playouts: int):
    """Search with a table of at least ``slots`` slots; 0: with one too small, made anew every 100 playouts."""
    search = solver.start(board, seed=11)
    copies = solver.adapt != "optimized"
    policy = hashed_policy(solver.level, board.max_total if slots else 2, copies, slots)
    replace_policy(search, policy._replace(found=np.zeros(board.max_total, np.int64)))
    scores = []
    while search.playouts < playouts:
        search.advance(min(100, playouts - search.playouts))
        scores.append((search.playouts, search.score))
        if not slots:
            replace_policy(search, enlarged_policy(search.memory.policy))
    return search, scores


def replace_policy(search, policy: HashedPolicy) -> None:
    search.memory = search.memory._replace(policy=policy)
    search._collect()


def test_an_enlarged_policy_gives_the_search_of_a_large_one(board):
    """A table that lacks room at first, and is made anew again and again, changes nothing in the search."""
    solver = nrpa.GNRPA(level=3, iterations=15, bias=False)
    small, grown = run(board, solver, 0, 3000)
    large, expected = run(board, solver, 2**16, 3000)
    assert len(small.memory.policy.logged) < len(large.memory.policy.logged) == 2**16
    assert small.memory.policy.counter[ENTRIES] == large.memory.policy.counter[ENTRIES] > 0
    assert grown == expected
    assert small.moves.tolist() == large.moves.tolist()


def test_three_adapts_give_the_same_search(board):
    """Plain, memoized and optimized Adapt differ in speed only."""
    solver = nrpa.GNRPA(level=2, iterations=20)
    found = [run(board, replace(solver, adapt=adapt), 0, 800)[1] for adapt in ("plain", "memoized", "optimized")]
    assert found[0] == found[1] == found[2]


def test_a_policy_that_cannot_fit_is_refused():
    """Before it is allotted, with its size and what to do."""
    with pytest.raises(InputError, match=r"4\.2 GB, at most 2 GB, .* 50,000,000 legal moves; list"):
        hashed_policy(LEVELS, 50_000_000, False)


class Paths(nrpa.Problem):
    """All codes of two different sequences differ after their common beginning."""

    max_steps = 12

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [0, 1, 2, 3] if len(state) < 12 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)

    def code(self, state, move):
        return (*state, move)


def test_a_search_whose_policy_can_grow_no_more_begins_anew(monkeypatch, caplog):
    """It goes on with an empty policy, and twice the same."""
    solver = nrpa.GNRPA(level=3, iterations=20)
    room = hashed_policy(solver.level, 256, False)
    monkeypatch.setattr(policies, "LARGEST_POLICY", 20 * len(room.logged) + 32 * len(room.log_slot))
    caplog.set_level("INFO", "nrpa")
    found = []
    for _ in range(2):
        search = solver.start(Paths(), seed=1)
        search.advance(2000)
        found.append((search.score, search.moves.tolist()))
        assert search.playouts == 2000
        assert len(search.memory.policy.logged) == len(room.logged)
    assert "begins anew" in caplog.text
    assert found[0] == found[1]
