"""Choosing a move of a position."""

import json
import math

import numpy as np
import pytest
from coin import Coin
from tictactoe import TicTacToe

import nrpa
from nrpa.games.choice import Chooser, MoveBudget
from nrpa.games.open_game import OpenGame
from nrpa.solvers.tree import root

HEX = nrpa.Hex(size=3, first="none")
CENTRE = ("b2",)


def test_each_legal_move_has_its_visits_and_value():
    """The walks after the first are shared out among the moves; the chosen one leads; JSON can hold all of it."""
    choice = nrpa.choose(HEX, nrpa.UCT(), moves=CENTRE, playouts=30, seed=1)
    assert [each.move for each in choice.opinions] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    assert choice.playouts == 30
    assert sum(each.visits for each in choice.opinions) == 29
    assert all(each.value is None or 0 <= each.value <= 1 for each in choice.opinions)
    assert (choice.player, choice.ranked[0].move, choice.opinion.move) == (1, choice.move, choice.move)
    record = json.loads(json.dumps(choice.to_dict()))
    assert record["opinions"][0].keys() == {"move", "visits", "value", "solved"}


def test_a_solved_position_ends_the_search():
    """The move that wins is found, and is the one that is played."""
    choice = nrpa.choose(HEX, nrpa.MCPS(), moves="b2 a1 b1 a2", playouts=10_000)
    assert (choice.move, choice.solved, choice.opinion.value) == ("b3", True, 1.0)
    assert choice.playouts < 10_000


def test_a_choice_depends_on_seed_position_and_playouts_alone():
    """Not on what the same search has chosen before, nor on the slices of its budget."""

    def told(choice):
        return choice.move, choice.opinions

    chooser = Chooser(HEX, nrpa.MCPS())
    moves = [4]
    first = told(chooser.choose(moves, MoveBudget(playouts=40), 5))
    chooser.choose([], MoveBudget(playouts=200), 6)
    assert told(chooser.choose(moves, MoveBudget(playouts=40), 5)) == first
    assert told(nrpa.choose(HEX, nrpa.MCPS(), moves=CENTRE, playouts=40, seed=5)) == first
    assert told(nrpa.choose(HEX, nrpa.MCPS(), moves=CENTRE, playouts=40, seed=6)) != first


def test_a_time_gives_every_move_a_search():
    """However short it is."""
    choice = nrpa.choose(HEX, nrpa.MCPS(), time=1e-9)
    assert choice.playouts >= 2
    assert len(choice.opinions) == 9


def test_a_game_in_plain_python():
    """The only move that does not lose is found and proven to draw."""
    choice = nrpa.choose(TicTacToe(), nrpa.UCT(), moves=["0", "4", "8"], playouts=3000)
    assert choice.solved
    assert {each.move for each in choice.opinions if each.solved and each.value == 0.5} >= {choice.move}
    assert int(choice.move) in (1, 3, 5, 7)


def test_every_first_move_of_tic_tac_toe_is_proven_to_draw():
    """The whole tree is solved long before the playouts are used up."""
    choice = nrpa.choose(TicTacToe(), nrpa.UCT(), playouts=50_000, seed=1)
    assert choice.playouts < 50_000
    assert [(each.solved, each.value) for each in choice.opinions] == [(True, 0.5)] * 9


@pytest.mark.parametrize("workers", [1, 2])
def test_the_roots_of_several_trees_are_added_up(workers):
    """They are those of searches of their own, with spawned seeds and equal shares; who did them does not matter."""
    shares = zip(np.random.SeedSequence(5).spawn(3), (14, 13, 13), strict=True)
    chooser = Chooser(HEX, nrpa.UCT())
    apart = [chooser.choose([4], MoveBudget(playouts=playouts), seed) for seed, playouts in shares]
    choice = nrpa.choose(HEX, nrpa.UCT(trees=3), moves=CENTRE, playouts=40, seed=5, workers=workers)
    assert choice.playouts == sum(each.playouts for each in apart) == 40
    for k, opinion in enumerate(choice.opinions):
        own = [each.opinions[k] for each in apart]
        assert opinion.visits == sum(each.visits for each in own)
        assert math.isclose(opinion.value, sum(each.visits * each.value for each in own) / opinion.visits)
    assert choice.opinion.visits == max(each.visits for each in choice.opinions)


def test_the_time_of_a_move_is_shared_by_its_trees():
    """Each of three trees on two workers has half of it, and walks."""
    assert [each.time for each in MoveBudget(time=1.0).shares(3, 2)] == [0.5] * 3
    assert sum(each.visits for each in nrpa.choose(HEX, nrpa.UCT(trees=3), time=1e-9, workers=2).opinions) >= 3


def behind(chooser, moves):
    """Return how often the node behind some moves was visited."""
    memory = chooser._trees[0].memory
    path = root.path_of(memory, moves)
    return int(memory.nodes[path[-1]]["visits"]) if len(path) == len(moves) + 1 else 0


def test_a_tree_that_is_kept_goes_on():
    """The walks of the last move that went through the position count on; all others begin there."""
    chooser = Chooser(HEX, nrpa.UCT(keep=True))
    budget = MoveBudget(playouts=150)
    chosen = chooser.choose([4], budget, 1).number
    reply = next(move for move in (0, 1, 2) if move != chosen)
    known = behind(chooser, [chosen, reply])
    assert known > 1
    choice = chooser.choose([4, chosen, reply], budget, 2)
    assert behind(chooser, []) == known + choice.playouts
    assert sum(each.visits for each in choice.opinions) == known + choice.playouts - 1


@pytest.mark.parametrize("moves", [[], [3], [4, 0, 1, 8, 2]], ids=["earlier", "other", "never-visited"])
def test_a_tree_of_another_position_is_given_up(moves):
    """The choice is that of a new tree; so it is in a new game."""
    chooser, budget = Chooser(HEX, nrpa.MCPS(keep=True, ref=5)), MoveBudget(playouts=20)
    fresh = Chooser(HEX, nrpa.MCPS(ref=5)).choose(moves, budget, 7).opinions
    chooser.choose([4], budget, 1)
    assert chooser.choose(moves, budget, 7).opinions == fresh
    chooser.begin_game()
    assert chooser.choose(moves, budget, 7).opinions == fresh


def test_a_tree_in_which_no_walk_would_come_there_is_given_up():
    """The first move is solved, as one wins, but not what follows another one."""
    chooser, budget, moves = Chooser(HEX, nrpa.UCT(keep=True)), MoveBudget(playouts=20), [0, 4]
    assert chooser.choose([], MoveBudget(playouts=20_000), 1).solved
    assert behind(chooser, moves) > 1
    assert chooser.choose(moves, budget, 7).opinions == Chooser(HEX, nrpa.UCT()).choose(moves, budget, 7).opinions


def test_a_kept_tree_that_is_full_is_given_up():
    """Otherwise, nothing would be learned of later positions."""
    chooser, budget = Chooser(HEX, nrpa.UCT(keep=True, nodes=12)), MoveBudget(playouts=60)
    chosen = chooser.choose([4], budget, 1).number
    after = [4, chosen, 0 if chosen else 1]
    again = Chooser(HEX, nrpa.UCT(nodes=12)).choose(after, budget, 2)
    assert chooser.choose(after, budget, 2).opinions == again.opinions


@pytest.mark.parametrize("solver", [nrpa.UCT(keep=True), nrpa.MCPS(keep=True, ref=5)], ids=["uct", "mcps"])
def test_what_a_kept_tree_proves_is_true(solver):
    """Along whole games, the value of a position that is solved is that of a search of its own."""
    kept, fresh = Chooser(HEX, solver), Chooser(HEX, nrpa.UCT())
    proven = 0
    for seed in range(4):
        game = OpenGame(HEX)
        kept.begin_game()
        while game.legal:
            choice = kept.choose(game.moves, MoveBudget(playouts=150), seed)
            assert choice.number in game.legal
            if choice.solved:
                truth = fresh.choose(game.moves, MoveBudget(playouts=20_000))
                assert (truth.solved, truth.opinion.value) == (True, choice.opinion.value)
                proven += 1
            game.play(game.legal[seed % len(game.legal)] if len(game.moves) % 2 else choice.number)
    assert proven > 4


@pytest.mark.parametrize("tossed", ["heads", "tails"])
def test_what_is_hidden_is_drawn_for_each_tree(tossed):
    """Each tree sees a coin, so going on seems sure to win; who has to guess finds that half of the coins fit."""
    solver = nrpa.UCT(trees=30)
    first = nrpa.choose(Coin(), solver, moves=[tossed], playouts=600, seed=1)
    assert {each.move: each.value for each in first.opinions} == {"safe": 0.7, "on": 1.0}
    assert (first.move, first.solved) == ("on", False)
    second = nrpa.choose(Coin(), solver, moves=[tossed, "on"], playouts=600, seed=1)
    values = [each.value for each in second.opinions]
    assert min(values) > 0.2
    assert math.isclose(sum(values), 1.0)
    assert second.opinion.value == max(values)


@pytest.mark.parametrize(
    ("drawn", "message"),
    [
        (["edge"], "Coin: determinize gave 'edge' as move 1, which is not legal there"),
        (["heads", "on"], "Coin: determinize led to another player or other legal moves"),
        ([["heads"]], r"Coin: determinize gave \['heads'\] as move 1, which is not legal there"),
        (None, "Coin: determinize returned None; expected a sequence of moves"),
    ],
)
def test_drawings_that_cannot_be_are_refused(drawn, message):
    """A move that is not legal, and a position where others are."""
    problem = type("Coin", (Coin,), {"determinize": lambda self, moves, random: drawn})()
    with pytest.raises(nrpa.ProblemError, match=message):
        nrpa.choose(problem, nrpa.UCT(trees=2), moves=["heads"], playouts=4)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"problem": nrpa.Morpion()}, "morpion is a problem of one player; expected a game"),
        ({"solver": nrpa.NMCS()}, "nmcs does not choose moves of games; expected a tree search such as mcps"),
        ({"solver": nrpa.MCPS}, "MCPS is a class; expected an instance of it"),
        ({"moves": ["b2", "b2"]}, "move 2: 'b2' is not a legal move; expected one of a1"),
        ({"moves": 3}, "moves must be a list of moves, not int"),
        ({"moves": [9]}, "move 1: '9' is not a legal move; expected one of a1"),
        ({"state": (0, 0)}, "hex is compiled, so that no state can be given; expected the moves that lead there"),
        ({"moves": "b1 a1 b2 a2 b3"}, "hex: the game has ended after 5 moves; there is none to choose"),
        ({"playouts": 1}, "playouts must be a whole number of at least 2, not 1"),
        ({"time": 0.0}, "time must be a positive number"),
        ({"time": 1.0, "playouts": 5}, "playouts and time cannot both be the budget of a move"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"workers": 2}, "workers share trees; expected at most as many as trees, 1, not 2"),
        ({"workers": "two"}, "workers must be a whole number of at least 1"),
        ({"solver": nrpa.UCT(trees=3), "playouts": 5}, "3 trees cannot share 5 playouts; expected at least 2 for each"),
        ({"problem": TicTacToe(), "solver": nrpa.UCT(trees=2), "workers": 2, "moves": ()}, "game in plain Python"),
        ({"solver": nrpa.UCT(commit=5.0)}, "commit is for one player; hex is a game for 2"),
    ],
)
def test_bad_input_is_one_sentence(given, message):
    """It names what was expected."""
    settings = {"problem": HEX, "solver": nrpa.MCPS(), **given}
    with pytest.raises(nrpa.InputError, match=message) as fault:
        nrpa.choose(settings.pop("problem"), settings.pop("solver"), **settings)
    assert "\n" not in str(fault.value)
