"""Problems of one player whose states are found again, however they were reached."""

import copy
import pickle
import random

import pytest

import nrpa
from nrpa.checking.validate import hints_of
from nrpa.engine.game import Game

PROBLEMS = [
    (nrpa.Morpion("4D"), lambda state: (state.dots.tobytes(), state.taken.tobytes())),
    (
        nrpa.SameGame.load("samegame-02"),
        lambda state: tuple(each.tobytes() for each in (state.plane0, state.plane1, state.plane2, state.counts)),
    ),
]


@pytest.mark.parametrize(("problem", "held"), PROBLEMS, ids=lambda given: getattr(given, "name", ""))
def test_the_order_of_moves_does_not_matter_to_the_hash(problem, held):
    """States that hold the same have the same hash, in whatever order they were reached; others have another."""
    game = Game(problem.model)
    hashes, holding, again = {}, {}, 0
    for number in range(30):
        chance = random.Random(number // 3)
        game.reset()
        moves = game_of(game, chance)
        place = random.Random(number).randrange(len(moves) - 1)
        moves[place], moves[place + 1] = moves[place + 1], moves[place]
        game.reset()
        for step, move in enumerate(moves):
            if move not in game.legal_moves():
                break
            game.play(move)
            game.legal_moves()
            found, state = game.hash(), held(game.state)
            path = tuple(moves[: step + 1])
            again += holding.setdefault(state, (found, path))[1] != path
            assert holding[state][0] == found
            assert hashes.setdefault(found, state) == state
    assert again > 10


def game_of(game, chance):
    """Play a random game and return its moves."""
    moves = []
    while listed := game.legal_moves():
        moves.append(chance.choice(sorted(listed)))
        game.play(moves[-1])
    return moves


@pytest.mark.parametrize(
    "problem",
    [
        nrpa.TSPTW([[0, 5, 8], [5, 0, 4], [8, 4, 0]], [[0, 30], [7, 20], [0, 12]]),
        nrpa.Coloring(3, [(0, 1), (1, 2)]),
        nrpa.BinPacking(10, [3, 4, 5]),
        nrpa.Pancakes([3, 1, 2]).plain,
    ],
    ids=lambda problem: problem.name,
)
def test_a_pickle_is_the_same_after_use(problem):
    """So hashes of it, as joblib's, find what was computed before."""
    before = pickle.dumps(problem)
    problem.bound()
    hints = hints_of(problem)
    nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=2)
    assert pickle.dumps(problem) == before
    assert copy.copy(problem)._hints is hints
