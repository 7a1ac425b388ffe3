import math
import pickle

import numpy as np
import pytest
from snake import Snake

import nrpa
from nrpa.modelling.fit_bias import Choices, cross_entropy

STEPS, MOVES = 8, 4
WORTH = np.random.default_rng(0).normal(size=(STEPS, MOVES, 2)) * [1.0, 10.0]
WEIGHTS = np.array([0.8, -0.1])


class Draws(nrpa.Problem):
    """Choose one of four moves, eight times, the last time without a choice; a move has two figures."""

    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [*range(MOVES if state < STEPS else 1)] if state <= STEPS else []

    def play(self, state, move):
        return state + 1

    def score(self, state):
        return 0.0

    def first(self, state, move):
        return WORTH[state, move, 0]

    def second(self, state, move):
        return WORTH[state, move, 1]


def second(state, move):
    return WORTH[state, move, 1]


def games_drawn(count):
    """Return games whose moves are drawn by the softmax of the known weights."""
    random, beta = np.random.default_rng(1), WORTH @ WEIGHTS
    share = np.exp(beta) / np.exp(beta).sum(axis=1, keepdims=True)
    return [[*(int(random.choice(MOVES, p=row)) for row in share), 0] for _ in range(count)]


def likelihood(weights, games):
    """Return the mean log-likelihood of the games' moves, move by move."""
    total = 0.0
    for game in games:
        for step, made in enumerate(game[:-1]):
            odds = [math.exp(sum(w * x for w, x in zip(weights, WORTH[step, move], strict=True))) for move in range(4)]
            total += math.log(odds[made] / sum(odds))
    return total / (STEPS * len(games))


def test_known_weights_are_recovered():
    """Games drawn by a bias teach it, whatever the units of its features; a step without a choice teaches nothing."""
    games = games_drawn(400)
    bias = nrpa.fit_bias(Draws(), games, ["first", second], penalty=0.0)
    found = np.array([*bias.weights.values()])
    assert found == pytest.approx(WEIGHTS, rel=0.15)
    assert bias.steps == STEPS * len(games)
    assert math.log(bias.probability) == pytest.approx(likelihood(found, games))
    assert bias.uniform == pytest.approx(1 / MOVES)
    for change in ([0.02, 0], [-0.02, 0], [0, 0.002], [0, -0.002]):
        assert likelihood(found + change, games) < likelihood(found, games)


def test_a_penalty_draws_weights_to_0_alike():
    games = games_drawn(50)
    free, held = (nrpa.fit_bias(Draws(), games, ["first", "second"], penalty=x).weights for x in (0.0, 1.0))
    ratios = [held[name] / free[name] for name in free]
    assert 0.05 < min(ratios) <= max(ratios) < 0.5


@pytest.mark.parametrize("penalty", [0.0, 0.3])
def test_the_gradient_is_that_of_finite_differences(penalty):
    """Steps of different numbers of moves, with large features."""
    random = np.random.default_rng(2)
    choices = Choices(random.normal(size=(9, 3)) * [1.0, 1.0, 50.0], np.array([0, 2, 5]), np.array([1, 2, 8]))
    weights, step = random.normal(size=3), 1e-6
    slope = cross_entropy(weights, choices, penalty)[1]
    for k, along in enumerate(np.eye(3)):
        above, below = (cross_entropy(weights + sign * step * along, choices, penalty)[0] for sign in (1, -1))
        assert slope[k] == pytest.approx((above - below) / (2 * step), rel=1e-5)


def near_the_start(instance, state, move, code):
    return float(code < instance.dimensions)


def new(instance, state, move, code):
    return float(move == state.head[1])


def test_kernels_are_asked_in_each_step():
    """Instances together; the bias is one for another instance, too, and pickled."""
    problems = [Snake.load("4"), Snake.load("5")]
    with nrpa.debug():
        results = [nrpa.solve(problem, nrpa.GNRPA(level=2), seed=1, playouts=300) for problem in problems]
        bias = nrpa.fit_bias(problems, [[results[0]], [results[1].solution]], {"new": new, "one": lambda *given: 1.0})
        assert bias.weights["one"] == pytest.approx(0.0)
        assert bias.weights["new"] != 0.0
        assert bias.probability > bias.uniform
        copied = pickle.loads(pickle.dumps(bias))
        one, other = (
            nrpa.solve(Snake.load("3"), nrpa.GNRPA(level=1), seed=1, playouts=20, bias=each) for each in (bias, copied)
        )
    assert one.inputs["bias"] == other.inputs["bias"] == bias.described()
    assert (one.solution, one.inputs["bias"]["weights"]) == (other.solution, bias.weights)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((Draws(), [[0] * 9], []), "features are .*expected functions of state and move"),
        ((Draws(), [[0] * 9], [second, second]), "two features have the same name"),
        ((Draws(), [[0] * 9], ["third"]), "Draws: there is no method 'third'"),
        ((Draws(), [[0] * 9], [lambda state, move: math.nan]), "the feature <lambda> returned nan; expected a finite"),
        ((Draws(), [[0, 9]], ["first"]), "move 2, 9, is not legal"),
        ((Draws(), [], ["first"]), "there is nothing to learn from"),
        ((Draws(), 7, ["first"]), "solutions are 7; expected a list"),
        (([Draws()], [], ["first"]), "a list of solutions for each"),
        ((Snake.load("3"), [[0, 1]], ["first"]), "there is no feature .*'first'"),
    ],
    ids=range(9),
)
def test_what_cannot_be_learned_from_is_said(given, said):
    with pytest.raises((nrpa.InputError, nrpa.ProblemError), match=said):
        nrpa.fit_bias(*given)


def test_weights_and_penalties_are_checked():
    for weights in ([1.0], [1.0, math.inf], [1.0, "2"]):
        with pytest.raises(nrpa.InputError, match="expected 2 finite numbers, one for each feature"):
            nrpa.LearnedBias([near_the_start, new], weights)
    with pytest.raises(nrpa.InputError, match="penalty is -1; expected a number of at least 0"):
        nrpa.fit_bias(Draws(), [], ["first"], penalty=-1)
