"""A search is its memory: what ``advance`` returns, and that the memory alone is enough to go on."""

import math
import pickle
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from time_limit import within
from walk import Walk

import nrpa
from nrpa.base.errors import InputError
from nrpa.engine.hash_table import HashTable, find, hash_table, occupy
from nrpa.solvers import search as search_module
from nrpa.solvers.search import Capacity, common_parts, enlarged

PROBLEMS = {
    "tsptw": lambda: nrpa.TSPTW.load("rc201.1"),
    "samegame": lambda: nrpa.SameGame.load("samegame-01"),
    "python": Walk,
}
SOLVERS = {
    "gnrpa": nrpa.GNRPA(level=2, iterations=8),
    "nmcs": nrpa.NMCS(level=2),
    "random": nrpa.RandomSampling(),
}


@pytest.fixture(params=PROBLEMS)
def problem(request):
    return PROBLEMS[request.param]()


@pytest.fixture(params=SOLVERS)
def solver(request):
    return SOLVERS[request.param]


def plain(improvements):
    return [(found.playouts, found.score, found.moves.tolist()) for found in improvements]


def in_slices(search, slices):
    return [found for playouts in slices for found in search.advance(playouts)]


def test_what_advance_returns_does_not_depend_on_slices(problem, solver):
    """300 playouts at once, one by one or in odd slices give the same improvements; each is run to its end."""
    searches = [solver.start(problem, 3) for _ in range(3)]
    found = [
        in_slices(search, slices) for search, slices in zip(searches, ([300], [1] * 300, [7, 93, 200]), strict=True)
    ]
    assert plain(found[0]) == plain(found[1]) == plain(found[2])
    assert [search.playouts for search in searches] == [300] * 3
    assert len({search.last_score for search in searches}) == 1
    scores = [improvement.score for improvement in found[0]]
    assert scores == sorted(set(scores))
    assert scores[-1] == searches[0].score
    assert found[0][-1].moves.tolist() == searches[0].moves.tolist()


def test_advance_stops_at_a_score():
    """At the playout that reaches it, wherever slices end."""
    problem, solver = PROBLEMS["tsptw"](), SOLVERS["gnrpa"]
    whole = solver.start(problem, 3).advance(300)
    target = whole[len(whole) // 2]
    search = solver.start(problem, 3)
    found = search.advance(300, score=target.score)
    assert found[-1].score == target.score
    assert search.playouts == target.playouts


def arrays_of(memory):
    for field in memory:
        if isinstance(field, tuple):
            yield from arrays_of(field)
        else:
            yield field


def test_memory_is_arrays_and_nothing_else(problem, solver):
    """Every leaf is a NumPy array of numbers with memory of its own."""
    search = solver.start(problem, 1)
    search.advance(20)
    leaves = list(arrays_of(search.memory))
    assert all(isinstance(leaf, np.ndarray) and leaf.dtype.kind in "biuf" for leaf in leaves)
    assert not any(np.shares_memory(a, b) for k, a in enumerate(leaves) for b in leaves[:k])


@pytest.mark.parametrize("playouts", [0, 1, 13, 100])
def test_a_pickled_search_goes_on(problem, solver, playouts):
    """Pickled after some playouts and taken up again, it ends as one that went through."""
    whole = solver.start(problem, 5)
    before = whole.advance(playouts)
    twin = pickle.loads(pickle.dumps(whole))
    rest = whole.advance(200)
    assert plain(twin.advance(200)) == plain(rest)
    assert twin.score == whole.score
    assert twin.moves.tolist() == whole.moves.tolist()
    assert len(before) + len(rest) > 0


def test_a_pickled_search_goes_on_in_another_process(tmp_path):
    """A plain-Python problem's moves and codes go with it."""
    search = nrpa.NRPA(level=2, iterations=5).start(Walk(), 4)
    search.advance(40)
    (tmp_path / "search.pickle").write_bytes(pickle.dumps(search))
    search.advance(60)
    code = (
        "import pickle, sys; sys.path[:0] = sys.argv[2:]\n"
        "search = pickle.load(open(sys.argv[1], 'rb')); search.advance(60)\n"
        "print(search.score, search.problem.solution(search.moves), search.last_score)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "search.pickle"), *sys.path],
        check=False,
        capture_output=True,
        text=True,
    )
    expected = f"{search.score} {search.problem.solution(search.moves)} {search.last_score}\n"
    assert found.stdout == expected, found.stderr


def test_two_pickled_searches_of_one_problem_do_not_mix_their_moves():
    """Each comes back with the numbers that its own moves had."""
    problem = Walk()
    first, second = (nrpa.NRPA(level=1).start(problem, seed) for seed in (1, 2))
    first.advance(5)
    kept = pickle.dumps(first)
    second.advance(50)
    again = pickle.loads(kept)
    first.advance(20)
    again.advance(20)
    assert again.problem.solution(again.moves) == problem.solution(first.moves)


def test_streams_of_workers_are_spawned():
    """A seed sequence gives the stream of its seed; those spawned from it differ from it and from each other."""
    solver, problem = SOLVERS["random"], PROBLEMS["tsptw"]()
    root = np.random.SeedSequence(9)
    children = root.spawn(3)
    scores = [solver.start(problem, seed) for seed in (9, np.random.SeedSequence(9), *children)]
    for search in scores:
        search.advance(1)
    assert scores[0].last_score == scores[1].last_score
    assert len({search.last_score for search in scores}) == 4
    assert not math.isnan(scores[0].last_score)


@pytest.mark.parametrize("solver", [nrpa.NMCS(level=1), nrpa.GRAVE(), nrpa.GNRPA(level=1)], ids=lambda s: s.name)
def test_advance_takes_any_number_of_playouts(solver):
    """Those that were done before are no part of what fits into 64 bits."""
    search = solver.start(Walk(), 1)
    with within(60):
        for playouts in (100, sys.maxsize, sys.maxsize, 10**30):
            before = search.playouts
            search.advance(min(playouts, 100))
            search.advance(playouts, searches=1)
            assert search.playouts > before + 100 or search.proven


def test_a_search_goes_on_with_the_arrays_of_another(problem, solver):
    """By their names; an array that is missing, or of another type, is named."""
    search, again = (solver.start(problem, 5) for _ in range(2))
    search.advance(40)
    arrays = {name: array.copy() for name, array in search.arrays().items()}
    again.restore(arrays)
    assert plain(again.advance(60)) == plain(search.advance(60))
    assert again.moves.tolist() == search.moves.tolist()
    for wrong in ({"memory/best/score": np.zeros(1, np.int64)}, {"memory/best/score": np.zeros((1, 1))}):
        with pytest.raises(InputError, match="memory/best/score is missing, or not of 1 dimension"):
            again.restore(arrays | wrong)
    del arrays["memory/random"]
    with pytest.raises(InputError, match="memory/random is missing"):
        again.restore(arrays)


class Grown(NamedTuple):
    row: np.ndarray
    table: HashTable
    best: tuple
    tally: tuple
    random: np.ndarray
    capacity: np.ndarray


def made(capacity, slots, seed=0):
    return Grown(np.zeros((2, capacity.moves)), hash_table(slots), **common_parts(capacity, seed))


def test_an_enlarged_memory_holds_what_it_held():
    """Larger arrays begin with the old content, the others are the same arrays, keys are found, the capacity is new."""
    small, large = Capacity(4, 3, 12), Capacity(8, 5, 40)
    memory = made(small, 4, seed=5)
    memory.row[:] = [[1, 2, 3], [4, 5, 6]]
    memory.best.move[:] = 7, 8, 9, 10
    keys = [11, 2**40, -3]
    for number, key in enumerate(keys):
        slot = find(memory.table, key)
        occupy(memory.table, slot, key)
        memory.table.word[2 * slot + 1] = number
    grown = enlarged(memory, made(large, 64))
    assert grown.row.tolist() == [[1, 2, 3, 0, 0], [4, 5, 6, 0, 0]]
    assert grown.best.move.tolist() == [7, 8, 9, 10, 0, 0, 0, 0]
    assert grown.random is memory.random
    assert grown.best.score is memory.best.score
    assert grown.capacity.tolist() == [8, 5, 40]
    assert (grown.table.slots, memory.table.slots) == (64, 4)
    assert [grown.table.word[2 * int(find(grown.table, key)) + 1] for key in keys] == [0, 1, 2]


def test_legal_moves_get_room_when_they_need_it(monkeypatch):
    """A search that begins with little room for a playout finds the same, with no more than the limit at the end."""
    problem = nrpa.BinPacking.load("t60_00", moves="all")
    whole = nrpa.GNRPA(level=2, iterations=5).start(problem, 1)
    whole.advance(20)
    monkeypatch.setattr(search_module, "FIRST_TOTAL", 16)
    grown = nrpa.GNRPA(level=2, iterations=5).start(problem, 1)
    assert grown.memory.capacity[2] == 16
    grown.advance(20)
    assert 16 < grown.memory.capacity[2] <= problem.max_total
    assert grown.score == whole.score
    assert grown.moves.tolist() == whole.moves.tolist()


def test_what_takes_long_in_a_problem_sees_the_stop_of_the_search():
    """Through the field ``stop`` of a state, or by ``heed`` where Python is called."""
    graph = nrpa.start(nrpa.Coloring.load("DSJC125.5"), nrpa.GNRPA(level=1, improve=True), seed=1)._search
    assert graph._arguments[0].state.stop is graph.stop
    heard = []

    class Listening(nrpa.TSPTW):
        def heed(self, stop):
            heard.append(stop)

    tour = nrpa.start(Listening.load("rc204.1"), nrpa.GNRPA(level=1), seed=1)._search
    assert heard[-1] is tour.stop
