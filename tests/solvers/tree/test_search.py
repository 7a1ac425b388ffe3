import copy
import itertools
from typing import NamedTuple

import numpy as np
import pytest
from marks import Marks, legal_moves
from naive_tree import NaiveTree
from time_limit import within
from user_problems import Bits

import nrpa
from nrpa.engine.kernels import kernels_of
from nrpa.engine.model import Model
from nrpa.solvers.tree.amaf import cell_of
from nrpa.solvers.tree.options import (
    GRAVE,
    MCPS,
    PUCT,
    RAVE,
    SHUSS,
    SPMCTS,
    UCT,
    AnytimeSequentialHalving,
    SequentialHalving,
)
from nrpa.solvers.tree.selection import normalised

BANDITS = ("ucb1", "ucb1-tuned", "epsilon-greedy", "decaying-epsilon", "boltzmann")
# Each solver beside the name of its selection and of its halving in the plain search.
SOLVERS = {
    **{f"uct-{name}": (UCT(selection=name, epsilon=0.3, tau=0.2), name, None) for name in BANDITS},
    "uct-mix": (UCT(mix=0.3), "ucb1", None),
    "uct-raw": (UCT(c=5.0, normalise=False), "ucb1", None),
    "sp-mcts": (SPMCTS(), "sp-mcts", None),
    "sp-mcts-raw": (SPMCTS(c=0.5, d=100.0, normalise=False), "sp-mcts", None),
    "puct": (PUCT(), "puct", None),
    "rave": (RAVE(amaf_bias=1e-3), "grave", None),
    "grave": (GRAVE(ref=10, amaf_bias=1e-3), "grave", None),
    "mcps": (MCPS(ref=10), "mcps", None),
    "mcps-0": (MCPS(ref=0), "mcps", None),
    "sequential-halving": (SequentialHalving(budget=200), "ucb1", "sequential"),
    "shuss": (SHUSS(budget=200), "ucb1", "shuss"),
    "anytime-halving": (AnytimeSequentialHalving(), "ucb1", "anytime"),
    "bias": (UCT(policy="bias"), "ucb1", None),
    "greedy": (UCT(policy="greedy"), "ucb1", None),
    # A quarter: sums are exact, so that rounding makes no ties.
    "share": (UCT(result_share=0.25), "ucb1", None),
    "minimax": (GRAVE(minimax=0.4, ref=10), "grave", None),
    "cut": (UCT(cut=2), "ucb1", None),
    "leaf-only": (GRAVE(cut=0, minimax=0.3), "grave", None),
    "mast": (UCT(policy="mast"), "ucb1", None),
    "adapt": (UCT(policy="adapt", alpha=0.5), "ucb1", None),
    "thompson": (UCT(selection="thompson"), "thompson", None),
    "decaying-boltzmann": (UCT(selection="decaying-boltzmann", tau=0.5), "decaying-boltzmann", None),
    "urgency": (UCT(urgency=0.6), "ucb1", None),
    "urgent-draws": (UCT(selection="boltzmann", tau=0.2, urgency=0.5), "boltzmann", None),
    "puct-without-visits": (PUCT(grows=False), "puct", None),
}
PROBLEMS = {
    "one-path": ({"cells": 9, "marks": 5}, False),
    "one-hash": ({"cells": 14, "marks": 7}, True),
    "one-shared-codes": ({"cells": 10, "marks": 5, "coarse": 2}, False),
    "two-path": ({"cells": 9, "marks": 7, "players": 2}, False),
    "two-hash": ({"cells": 11, "marks": 8, "players": 2}, True),
    "two-hashed-codes": ({"cells": 10, "marks": 6, "players": 2, "coarse": 2, "hashed_codes": True}, True),
    "three": ({"cells": 10, "marks": 6, "players": 3}, False),
}


def oracle(problem, name, by_key, seed, playouts):
    solver, kind, halving = SOLVERS[name]
    problem.plain.by_key = by_key
    options = {**solver.options, "halving": halving}
    return NaiveTree(problem.plain, kind, seed, **options).run(playouts)


def assert_same_tree(search, naive):
    """Compare all nodes of the compiled tree with the plain one: visits, values, AMAF statistics."""
    nodes, outcomes, edges, amaf = (getattr(search.memory, name) for name in ("nodes", "outcomes", "edges", "amaf"))
    spread = search.problem.instance.spread
    seen = {}

    def compare(node, plain):
        if node in seen:
            return
        seen[node] = plain
        row = nodes[node]
        assert row["visits"] == plain.visits
        assert row["sum"] == pytest.approx(plain.sum)
        assert (row["open"] == 0) == (plain.solved is not None)
        if plain.solved is not None:
            assert outcomes[node].tolist() == pytest.approx(plain.solved)
        if row["block"] >= 0 and not amaf.blocks[row["block"]]["frozen"]:
            for code, (n, total) in plain.amaf.items():
                cell = amaf.cells[cell_of.py_func(amaf, row["block"], number(code * spread))]
                assert list(cell) == pytest.approx([n, total])
        for m, edge in enumerate(plain.edges or []):
            found = edges[row["first"] + m]
            assert (found["move"], found["tried"]) == (edge.move, edge.n)
            assert found["sum"] == pytest.approx(edge.sum)
            assert found["best"] == edge.best
            assert bool(found["closed"]) == edge.closed
            if edge.child is not None and edge.n:
                compare(found["child"], edge.child)
        assert row["count"] == len(plain.edges or [])

    def number(code):
        table = search.memory.codes.table.word.reshape(-1, 2)
        return code if len(table) == 2 else int(table[table[:, 0] == code][0, 1])

    compare(0, naive.nodes[naive.root_key])
    assert len(seen) == search.nodes == len(naive.nodes)


MAIN = ("uct-ucb1", "grave", "mcps", "shuss")
PAIRS = [(kind, name) for name in MAIN for kind in PROBLEMS]
# Each of the others on two of the problems.
PAIRS += [
    pytest.param(list(PROBLEMS)[(k + shift) % len(PROBLEMS)], name, marks=marks)
    for k, name in enumerate(name for name in SOLVERS if name not in MAIN)
    for shift, marks in ((0, ()), (3, pytest.mark.slow))
]


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_agrees_with_the_algorithm_as_printed(kind, name, monkeypatch):
    """The same visits and values at every node as a plain search: games and one player, trees and transpositions."""
    options, by_key = PROBLEMS[kind]
    if options.get("players", 1) > 1 and name == "uct-mix":
        kind = "one-path"
    if options.get("players", 1) == 1 and name in ("cut", "leaf-only"):
        kind = "two-hash"
    options, by_key = PROBLEMS[kind]
    monkeypatch.setattr(Model, "has_hash", by_key)
    problem = Marks(**options)
    playouts = 700 if name.startswith("mcps") else 2000
    search = SOLVERS[name][0].start(problem, 4)
    search.advance(playouts)
    naive = oracle(problem, name, by_key, 4, playouts)
    assert (search.playouts, search.proven) == (len(naive.scores), naive.proven)
    assert_same_tree(search, naive)


def arrays(memory):
    """Return all arrays of a memory, one after the other."""
    return [a for part in memory for a in (arrays(part) if isinstance(part, tuple) else [part])]


@pytest.mark.parametrize("name", ["mcps", "shuss", "mast", "adapt"])
def test_slices_do_not_change_the_search(name):
    """A search advanced in pieces, its memory copied between them, is the search advanced at once."""
    problem = Marks(cells=12, marks=8, hashed_codes=True)
    whole, pieces = (SOLVERS[name][0].start(problem, 5) for _ in range(2))
    whole.advance(3000)
    while pieces.playouts < 3000:
        pieces.advance(min(97, 3000 - pieces.playouts))
        pieces.take_over(copy.deepcopy(pieces.memory))
    assert whole.moves.tolist() == pieces.moves.tolist()
    assert whole.memory.count.tolist() == pieces.memory.count.tolist()
    for one, other in zip(arrays(whole.memory), arrays(pieces.memory), strict=True):
        assert one.shape == other.shape
    n = whole.nodes
    assert np.array_equal(whole.memory.nodes[:n], pieces.memory.nodes[:n])


def best_by_trying_everything(problem):
    plain = problem.plain
    owners = (
        tuple(0 if c in chosen else -1 for c in range(plain.cells))
        for chosen in itertools.combinations(range(plain.cells), plain.marks)
    )
    return max(plain.total(owner, 0) for owner in owners)


@pytest.mark.parametrize("solver", [UCT(), MCPS(ref=5), UCT(commit=300)])
def test_a_small_problem_ends_as_optimal(solver):
    """When everything has been visited, the search stops by itself, with the best of all that could be built."""
    problem = Marks(cells=8, marks=4)
    result = nrpa.solve(problem, solver, seed=1, playouts=100_000)
    assert result.score == best_by_trying_everything(problem)
    if not solver.commit:
        assert result.status == "optimal"
        assert result.playouts < 2000
        run = nrpa.start(problem, solver, seed=1)
        assert run.advance(playouts=100_000) == run.advance(playouts=10) == "optimal"
        assert run.progress.playouts == result.playouts


def test_workers_end_as_optimal():
    """Also where several workers share the search."""
    result = nrpa.solve(Marks(cells=7, marks=3), UCT(), seed=1, workers=2, playouts=100_000)
    assert result.status == "optimal"
    assert result.playouts < 10_000


def test_committed_moves_make_whole_sequences():
    """With a move committed every 40 playouts, sequences of 8 moves end after at most 320, and a new search begins."""
    problem = Marks(cells=12, marks=8)
    search = UCT(commit=40).start(problem, 3)
    search.advance(3200)
    assert 10 <= search.finished <= 40
    share = UCT(commit=0.004, budget=10_000).start(problem, 3)
    share.advance(3200)
    assert share.finished == search.finished


def test_a_committed_move_is_that_of_the_best_score():
    """The first move made for good is the one with the best score behind it."""
    problem = Marks(cells=12, marks=8)
    search = UCT(commit=500).start(problem, 3)
    # The first playout adds the root, and no move of it was made.
    search.advance(500)
    assert search.memory.root["committed"] == 0
    search.advance(1)
    assert search.memory.root["committed"] == 1
    assert search.memory.prefix[0] == search.moves[0]


@pytest.mark.parametrize("solver", [UCT, GRAVE, MCPS])
def test_a_full_tree_grows_no_more(solver):
    """With 60 nodes, leaves are no longer added, the search says so, and goes on."""
    options = {} if solver is UCT else {"ref": 5}
    search = solver(nodes=60, **options).start(Marks(cells=12, marks=8), 3)
    search.advance(40)
    assert not search.full_at
    search.advance(2000)
    assert (search.nodes, search.full_at, search.playouts) == (60, 60, 2040)
    assert search.memory.nodes[0]["visits"] == 2040


def test_a_full_tree_keeps_the_values_of_its_leaves():
    """Those whose moves have no nodes of their own, as there is no room, are worth what they were."""
    search = UCT(nodes=60, minimax=0.4).start(Marks(**PROBLEMS["two-path"][0]), 3)
    while not search.full_at:
        search.advance(1)
    before = search.memory.outcomes.copy()
    search.advance(1000)
    children = search.memory.edges["child"]
    kept = [
        node
        for node, row in enumerate(search.memory.nodes)
        if row["open"] != 0 and (children[row["first"] : row["first"] + row["count"]] < 0).all()
    ]
    assert len(kept) > 20
    assert (search.memory.outcomes[kept] == before[kept]).all()


def test_a_full_tree_is_given_up_for_a_new_one_where_a_move_is_committed():
    """Else nothing behind the committed moves could be remembered."""
    search = UCT(nodes=60, commit=200).start(Marks(cells=12, marks=8), 3)
    search.advance(201)
    assert (search.full_at, search.nodes) == (0, 0)
    search.advance(100)
    assert search.memory.nodes[0]["visits"] == 100


def test_old_statistics_follow_new_extremes():
    """Sums stay raw: what a selection sees of an old score changes as soon as an extreme does, as if known at once."""
    problem = Marks(cells=9, marks=5)
    search = UCT().start(problem, 4)
    seen = set()
    for _ in range(60):
        search.advance(1)
        seen.add(search.last_score)
        assert search.memory.extremes.tolist() == [(min(seen), max(seen))]
    row = search.memory.nodes[0]
    total = search.memory.edges["sum"][row["first"] : row["first"] + row["count"]].sum()
    assert total > max(seen)
    assert total == int(total)


def test_bad_options_are_refused():
    """Each by a sentence that names the option."""
    problem = Marks(cells=9, marks=5)
    with pytest.raises(nrpa.InputError, match="nodes must be at least 6, so that the tree can hold one path"):
        UCT(nodes=5).start(problem, 1)
    with pytest.raises(nrpa.InputError, match="initial weights do not apply to the solver uct"):
        nrpa.start(problem, UCT(), weights={1: 1.0})
    with pytest.raises(nrpa.InputError, match="commit must be a share of less than 1, or a whole number"):
        UCT(commit=2.5)
    with pytest.raises(nrpa.InputError, match="c must be a number from 0 to 1e\\+100, not -1"):
        UCT(c=-1)
    with pytest.raises(nrpa.InputError, match="selection must be one of ucb1"):
        UCT(selection="best")
    with pytest.raises(nrpa.InputError, match="not 'ucb-1'; did you mean ucb1"):
        UCT(selection="ucb-1")
    game = Marks(cells=9, marks=5, players=2)
    for options in ({"mix": 0.5}, {"commit": 10.0}):
        with pytest.raises(nrpa.InputError, match="is for one player; Marks is a game for 2"):
            UCT(**options).start(game, 1)


def test_rewards_above_the_largest_are_refused():
    """They would make proofs wrong."""
    game = Marks(cells=9, marks=5, players=2)
    game.largest_reward = 0.5
    with pytest.raises(nrpa.ProblemError, match="a player got more than largest_reward"):
        UCT().start(game, 1).advance(10)


def value_by_minimax(plain, state, known):
    if state not in known:
        moves = plain.legal(state)
        values = [value_by_minimax(plain, plain.play(state, move), known) for move in moves]
        who = plain.player(state)
        known[state] = max(values, key=lambda value: value[who]) if moves else plain.rewards(state)
    return known[state]


@pytest.mark.parametrize("players", [2, 3])
def test_a_solved_game_has_the_value_of_minimax(players):
    """And so has every node that is solved."""
    game = Marks(cells=7, marks=6, players=players)
    search = GRAVE(ref=20).start(game, 1)
    search.advance(100_000)
    assert search.proven
    known = {}
    value = value_by_minimax(game.plain, game.plain.initial(), known)
    mover = game.plain.player(game.plain.initial())
    assert search.memory.outcomes[0, mover] == pytest.approx(value[mover])


def test_a_warm_start_is_not_lost():
    """The search begins with it as its best."""
    problem = Marks(cells=12, marks=8)
    found = nrpa.solve(problem, UCT(), seed=1, playouts=300)
    assert nrpa.solve(problem, GRAVE(), seed=2, playouts=1, warm_start=found).score >= found.score


def test_plain_python_finds_the_same(monkeypatch):
    """In the debug mode, where kernels and search run as plain Python, nothing differs."""
    problem = Marks(cells=9, marks=5, hashed_codes=True)
    for name in ("mcps", "shuss", "adapt"):
        compiled = SOLVERS[name][0].start(problem, 6)
        compiled.advance(200)
        with nrpa.debug():
            interpreted = SOLVERS[name][0].start(problem, 6)
        interpreted.advance(200)
        assert compiled.moves.tolist() == interpreted.moves.tolist()
        n = compiled.nodes
        assert np.array_equal(compiled.memory.nodes[:n], interpreted.memory.nodes[:n])


@pytest.mark.parametrize(
    "extremes", [(np.inf, -np.inf), (0.0, 0.0), (0.0, 5e-324), (0.0, 1e-200), (0.0, 1e-100), (-1e100, 1e100)]
)
def test_normalised_scores_are_finite(extremes):
    """Their squares, too; where the extremes are next to equal, or not known, nothing is left of them."""
    _, scale = normalised.py_func({"low": extremes[0], "high": extremes[1]}, True)
    assert 0.0 <= scale * scale < np.inf


@pytest.mark.parametrize("solver", [UCT(), SPMCTS(), PUCT(), RAVE(), GRAVE(), MCPS()], ids=lambda solver: solver.name)
@pytest.mark.parametrize("scores", [(1e100, -1e100, 0.0), (5e-324, 0.0, 0.0)])
def test_extreme_scores_are_searched_to_the_end(solver, scores):
    """The tree is solved, and every playout is a new one."""

    class Extreme(Bits):
        steps = 4

        def score(self, state):
            return scores[sum(state) % 3]

    with within(60), nrpa.debug():
        result = nrpa.solve(Extreme(), solver, seed=1, playouts=40)
    assert (result.status, result.playouts, result.score) == ("optimal", 31, scores[0])


def test_a_prior_of_nothing_but_zeros_is_refused():
    """By a sentence, where the selection would have nothing to go by."""

    def listed(instance, state, moves):
        count = legal_moves(instance, state, moves)
        moves.exp_bias[:] = 0.0
        return count

    listed.__name__ = "legal_moves"
    kernels = {**kernels_of(type(Marks().new_state())), "legal_moves": listed}

    @nrpa.kernels(*kernels.values())
    class State(NamedTuple):
        owner: np.ndarray
        made: np.ndarray

    problem = Marks()
    problem.new_state = lambda: State(np.zeros(8, np.int64), np.zeros(1, np.int64))
    with within(60), nrpa.debug(), pytest.raises(nrpa.ProblemError, match="the weights of a state's moves are all 0"):
        nrpa.solve(problem, PUCT(), seed=1, playouts=40)
