"""The kernel ``improve`` of graph colouring against all colourings."""

import random
from itertools import pairwise, product

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, moves_for

import nrpa
from nrpa import Coloring
from nrpa.checking.validate import hints_of
from nrpa.engine.status import UNFINISHED
from nrpa.problems.coloring import improving
from nrpa.problems.coloring.improving import (
    CHILDREN,
    LIST,
    PARENTS,
    PLACE,
    best_move,
    cross_colourings,
    evolve,
    recolour,
    search,
)
from nrpa.problems.coloring.kernels import improve


def random_graph(generator, nodes, density=0.5):
    return [(a, b) for a in range(nodes) for b in range(a) if generator.random() < density]


def chromatic_number(nodes, edges):
    """Return the fewest colours, by trying all colourings."""

    def do(colours):
        return any(all(way[a] != way[b] for a, b in edges) for way in product(range(colours), repeat=nodes))

    return next(colours for colours in range(1, nodes + 1) if do(colours))


def played(problem, generator, wanted=None):
    """Return the moves of a random game, or of the given one as far as it is legal."""
    state, moves, sequence = problem.new_state(), moves_for(problem), []
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, moves):
        listed = moves.move[:count].tolist()
        move = generator.choice(listed) if wanted is None else int(wanted[len(sequence)])
        assert move in listed
        sequence.append(move)
        compiled_play(problem.instance, state, move)
    return np.array(sequence)


def test_it_finds_the_fewest_colours_of_small_graphs():
    """From random games; what it changes is a legal game of fewer colours, and it says whether it changed any."""
    generator, changed = random.Random(2), 0
    for _ in range(40):
        edges = random_graph(generator, 6)
        problem = Coloring(6, edges, new_colors="rare")
        before = played(problem, generator)
        after = before.copy()
        said = improve(problem.instance, problem.new_state(), after, len(after))
        assert said == (before.tolist() != after.tolist())
        colours = [problem.check(problem.solution(moves)).figures["colors"] for moves in (before, after)]
        assert played(problem, generator, after).tolist() == after.tolist()
        assert colours[1] == chromatic_number(6, edges) <= colours[0]
        assert said == (colours[1] < colours[0])
        changed += said
    assert changed > 10


def test_it_ends_clashes_where_colours_are_given():
    """All of them, in graphs that have such a colouring by their making; else the game stays."""
    generator, ended = random.Random(3), 0
    for _ in range(20):
        parts = [generator.randrange(3) for _ in range(40)]
        edges = [(a, b) for a, b in random_graph(generator, 40, 0.2) if parts[a] != parts[b]]
        problem = Coloring(40, edges, colors=3, new_colors="rare")
        before = played(problem, generator)
        after = before.copy()
        said = improve(problem.instance, problem.new_state(), after, len(after))
        clashes = [problem.check(problem.solution(moves)).figures["clashes"] for moves in (before, after)]
        assert clashes[1] == (0 if said else clashes[0])
        assert played(problem, generator, after).tolist() == after.tolist()
        ended += said and clashes[0] > 0
    assert ended > 3
    problem = Coloring(4, [(a, b) for a in range(4) for b in range(a)], colors=3)
    assert improve(problem.instance, problem.new_state(), played(problem, generator), 4) == 0


def test_equal_games_give_equal_games():
    """Whatever the work areas hold from a call before."""
    generator = random.Random(4)
    problem = Coloring(60, random_graph(generator, 60), new_colors="rare")
    game, state = played(problem, generator), problem.new_state()
    first, second = game.copy(), game.copy()
    assert improve(problem.instance, state, first, 60) == improve(problem.instance, state, second, 60) == 1
    assert first.tolist() == second.tolist() != game.tolist()


def begun(generator):
    """Return a problem of 50 nodes, its edges, and a state from which a search begins."""
    edges = random_graph(generator, 50)
    problem = Coloring(50, edges)
    state = problem.new_state()
    state.stream[:] = 1, 2
    state.work[PARENTS] = -1
    return problem, edges, state


def test_the_search_counts_neighbours_and_keeps_the_best():
    """All counts are those of the colouring at its end; the row is a partial colouring with as many as it says."""
    generator, whole = random.Random(5), 0
    for colours in (5, 8, 12):
        problem, edges, state = begun(generator)
        left, work = search(problem.instance, state, PARENTS, colours, 200_000, 100_000, 0.6)
        colour = state.colour.tolist()
        counts = np.zeros((50, colours), int)
        for a, b in edges:
            assert colour[a] < 0 or colour[a] != colour[b]
            for node, other in ((a, b), (b, a)):
                if colour[other] >= 0:
                    counts[node, colour[other]] += 1
        assert state.beside[: 50 * colours].tolist() == counts.ravel().tolist()
        without = {node for node in range(50) if colour[node] < 0}
        assert set(state.work[LIST, : len(without)].tolist()) == without
        best = state.work[PARENTS].tolist()
        assert left == best.count(-1) <= len(without)
        assert (work > 100_000) == (left == 0)
        assert all(best[a] < 0 or best[a] != best[b] for a, b in edges)
        whole += left == 0
    assert 0 < whole < 3


def test_recolouring_counts_clashes_and_keeps_the_best():
    """All counts are those of the colouring at its end, the list has what clashes, and the row as few as it says."""
    generator, whole = random.Random(5), 0
    for colours in (5, 8, 12):
        problem, edges, state = begun(generator)
        fewest = recolour(problem.instance, state, PARENTS, colours, 100_000)
        colour, best = state.colour.tolist(), state.work[PARENTS].tolist()
        counts, clashing = np.zeros((50, colours), int), set()
        for a, b in edges:
            counts[a, colour[b]] += 1
            counts[b, colour[a]] += 1
            clashing |= {a, b} if colour[a] == colour[b] else set()
        assert state.beside[: 50 * colours].tolist() == counts.ravel().tolist()
        assert {node for node in range(50) if state.work[PLACE, node] >= 0} == clashing
        assert set(state.work[LIST, : len(clashing)].tolist()) == clashing
        assert fewest == sum(best[a] == best[b] for a, b in edges) <= sum(colour[a] == colour[b] for a, b in edges)
        whole += fewest == 0
    assert 0 < whole < 3


def test_the_best_move_is_the_best_of_all_that_are_allowed():
    """Of nodes without a colour and of those that clash, against a list of all; tabu ones where they are below."""
    generator, tabu_taken, taken = random.Random(8), 0, set()
    problem, colours = Coloring(12, random_graph(generator, 12)), 4
    for trial in range(300):
        state = problem.new_state()
        state.stream[:] = trial + 1, 2
        state.beside[:] = [generator.randrange(4) for _ in state.beside]
        state.tabu[:] = [generator.randrange(10) for _ in state.tabu]
        state.colour[:] = [generator.randrange(colours) if trial % 2 else -1 for _ in range(12)]
        state.work[LIST, :5] = generator.sample(range(12), 5)
        short, allowed = -generator.randrange(3), {}
        for node in state.work[LIST, :5].tolist():
            own = node * colours + state.colour[node]
            if trial % 2:
                state.tabu[own] = improving.ALWAYS
            for colour in range(colours):
                at = node * colours + colour
                worth = int(state.beside[at]) - (int(state.beside[own]) if trial % 2 else 1)
                if state.tabu[at] < 5 or worth < short:
                    allowed[node, colour] = worth
        node, colour, worth = best_move(state, 5, colours, 5, short, 12)
        least = min(allowed.values())
        assert worth == least == allowed[node, colour]
        tabu_taken += state.tabu[node * colours + colour] >= 5
        ties = sorted(move for move in allowed if allowed[move] == least)
        taken |= {ties.index((node, colour))}
    assert tabu_taken > 10
    assert len(taken) > 3
    state.tabu[:] = improving.ALWAYS
    assert best_move(state, 5, colours, 5, -10, 12)[0] == -1


def test_crossing_finds_what_its_parents_did_not():
    """A graph of 60 nodes has eleven colours; short searches end with it only after they have crossed colourings."""
    edges = random_graph(random.Random(9), 60)
    problem, rows = Coloring(60, edges), []
    for seed in range(3, 15):
        state = problem.new_state()
        state.stream[:] = seed, 4
        rows.append(evolve(problem.instance, state, 11, 2_000, True))
        colour = state.work[rows[-1]].tolist()
        assert rows[-1] < 0 or set(colour) == set(range(11))
        assert rows[-1] < 0 or all(colour[a] != colour[b] for a, b in edges)
    assert sum(row >= CHILDREN for row in rows) > 6


def watched_works(monkeypatch):
    """Return a list that fills with the work that searches may do, and what they leave."""
    works, plain = [], improving.search

    def watched(instance, state, row, colours, work, share, longer):
        fewest, left = plain(instance, state, row, colours, work, share, longer)
        works.append((work, left))
        return fewest, left

    monkeypatch.setattr(improving, "search", watched)
    monkeypatch.setattr(improving, "search_long", lambda *_: -1)
    return works


def test_one_call_has_one_budget_of_work(monkeypatch):
    """Each number of colours has what the one before left; the last search ends with it, or a turn later."""
    problem = Coloring(60, random_graph(random.Random(6), 60))
    works = watched_works(monkeypatch)
    game = played(problem, random.Random(7))
    with np.errstate(over="ignore"):
        improving.search_fewer.py_func(problem.instance, problem.new_state(), game, 60)
    assert works[0][0] == improving.SHORT * 60**2
    assert len(works) > 2
    assert all(before > left for before, left in works)
    assert -60 * 60 < works[-1][1] <= 0
    assert all(left == after for (_, left), (after, _) in pairwise(works))


@pytest.mark.parametrize("seed", range(6))
def test_the_work_of_a_call_grows_with_a_large_graph(monkeypatch, seed):
    """A call has so much for each node and end of an edge; later numbers of colours have twice what went before."""
    nodes, rng = improving.MANY + 100, np.random.default_rng(seed)
    problem = Coloring(nodes, [(a, (a + b) % nodes) for a, b in rng.integers(1, nodes, (4_000, 2)).tolist()])
    works = watched_works(monkeypatch)
    game = played(problem, random.Random(seed))
    with np.errstate(over="ignore"):
        improving.search_fewer.py_func(problem.instance, problem.new_state(), game, nodes)
    size = nodes + 2 * len(problem.edges)
    short, long = (each * size for each in (improving.SHORT_OF_MANY, improving.LONG_OF_MANY))
    assert works[0][0] in (short, long)
    most_of_a_turn = improving.LOOKED_OF_MANY * problem.max_moves + 100 * 100
    spent = 0
    for number, (work, left) in enumerate(works):
        assert number == 0 or work <= short + 2 * spent
        assert left > -most_of_a_turn
        spent += work - left
    assert spent <= works[0][0] + most_of_a_turn


def test_it_stops_where_it_is_told_to():
    """At once, and the game stays; else the same call has much to do."""
    problem = Coloring.load("DSJC125.5", new_colors="rare")
    game, state = played(problem, random.Random(1)), problem.new_state()
    state.stop[0] = True
    after = game.copy()
    assert improve(problem.instance, state, after, len(after)) == UNFINISHED
    assert after.tolist() == game.tolist()
    state.stream[:], state.work[PARENTS] = (1, 2), -1
    assert search(problem.instance, state, PARENTS, 9, 1_000_000, 1_000_000, 0.6) == (125, 1_000_000)


def test_a_search_that_is_stopped_in_it_gives_up_the_playout():
    """The first one stays as it was; a later one is played again."""
    problem = Coloring.load("queen8_8", new_colors="rare")
    run = nrpa.start(problem, nrpa.GNRPA(level=2, improve=True), seed=1)
    search_of_run = run._search
    search_of_run.stop[0] = True
    assert search_of_run.advance(1) == []
    search_of_run.stop[0] = False
    assert len(search_of_run.advance(1)) == 1
    assert np.shares_memory(search_of_run._arguments[0].state.stop, search_of_run.stop)


def test_a_child_has_the_largest_classes_in_turn():
    """Of the first parent, then the most that is left of the second, and so on; the rest has no colour."""
    problem = Coloring(9, [(0, 1), (1, 2), (2, 3)])
    state = problem.new_state()
    state.work[PARENTS] = [0, 0, 0, 0, 1, 1, 1, 2, -1]
    state.work[PARENTS + 1] = [0, 1, 1, 2, 2, 2, 0, 0, 0]
    cross_colourings(state, PARENTS, PARENTS + 1, CHILDREN, 3)
    assert state.work[CHILDREN].tolist() == [0, 0, 0, 0, 2, 2, 1, 1, 1]


@pytest.mark.parametrize("improved", [True, False])
def test_auto_improves(improved):
    """The queens' graph has nine colours with it and more without, after as few playouts."""
    problem = Coloring.load("queen8_8")
    result = nrpa.solve(problem, nrpa.Auto(improve=improved), seed=1, playouts=2000)
    assert (result.figures["colors"] == 9) is improved
    assert problem.check(result.solution).valid


def test_auto_takes_new_colours_rarely():
    """So that improved colourings can be built."""
    problem = Coloring.load("queen8_8", colors=9)
    assert hints_of(problem).arms[0].options["colors"] == 9
    assert hints_of(problem).arms[0].options["new_colors"] == "rare"
    assert hints_of(problem).arms[0] is hints_of(problem).arms[0]
    assert hints_of(problem).arms[0].hints().arms == ()
