import math

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.policy import HIGHEST, LOWEST, dense_policy, lift, lower
from nrpa.machine.jit import jit
from nrpa.modelling.bias import LEAST_EXPONENT, MOST_EXPONENT, by_code, representable, with_stronger_bias


@jit
def compiled_lower(policy, row, place, factor):
    lower(policy, row, place, factor)


@jit
def compiled_lift(policy, row, place, factor):
    lift(policy, row, place, factor)


def test_adapt_never_moves_a_weight_the_wrong_way():
    """The largest and the least bias that are accepted lie within what the policy holds."""
    policy = dense_policy(1, 2, representable(Bits(), np.array([float(LEAST_EXPONENT), float(MOST_EXPONENT)])))
    least, most = policy.g[2]
    assert LOWEST <= least < most <= HIGHEST
    compiled_lower(policy, 2, 0, 0.5)
    compiled_lift(policy, 2, 1, 2.0)
    assert policy.g[2, 0] <= least
    assert policy.g[2, 1] >= most


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-391.5, "w/τ [+] β must be at least -391, not -391.5; differences count"),
        (-450.0, "w/τ [+] β must be at least -391, not -450; differences count"),
        (391.5, "w/τ [+] β must be at most 391, not 391.5; differences count"),
        (math.nan, "w/τ [+] β must be at most 391, not nan"),
    ],
)
def test_beyond_what_a_policy_holds(value, message):
    """Refused on both sides, so that no two of them become one."""
    with pytest.raises(nrpa.InputError, match=message):
        representable(Bits(), np.array([0.0, value]))


@pytest.mark.parametrize("bias", [299.0, -299.0, 301.0, -301.0, 1e5])
def test_a_large_weight_and_a_large_bias_by_move(bias):
    """Their product stays a number: every playout follows the weights."""
    weights = {(k, move): 390.0 if move == k % 2 else 300.0 for k in range(10) for move in (0, 1)}
    solver, given = nrpa.GNRPA(level=1, iterations=5), {"weights": weights, "bias": lambda state, move: bias}
    for seed in range(3):
        assert nrpa.solve(Bits(), solver, seed=seed, playouts=1, **given).solution == [k % 2 for k in range(10)]


@pytest.mark.parametrize("least", [-391.0, -350.0])
def test_small_weights_and_a_small_bias_by_move(least):
    """They do not vanish: the larger of the two weights is still followed."""
    weights = {(k, move): least + 75.0 * (move == k % 2) for k in range(10) for move in (0, 1)}
    given = {"weights": weights, "bias": lambda state, move: -250.0}
    assert nrpa.solve(Bits(), nrpa.GNRPA(level=1), seed=1, playouts=1, **given).solution == [k % 2 for k in range(10)]


@pytest.mark.parametrize("value", [math.nan, -math.inf, "1", None, 10**400])
def test_a_mapping_that_holds_no_numbers(value):
    """Is refused before the search, naming the code; in plain Python and for codes that are numbers."""
    with pytest.raises(nrpa.InputError, match=r"Bits: bias must map codes to finite numbers, not \(0, 1\) to"):
        nrpa.start(Bits(), seed=1, bias={(0, 1): value})


@pytest.mark.parametrize("values", ["abc", ["x"], {0: "x"}, lambda code: None, [[1], [2, 3]]])
def test_values_by_code_that_are_no_numbers(values):
    """Said in a sentence."""
    with pytest.raises(nrpa.InputError, match=r"bias must be (numbers|finite|of shape)"):
        by_code(values, 1, "bias")


class Weighed(Bits):
    """Bits of which a method says how likely they are."""

    def bias(self, state, move):
        return move / 2 - len(state)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_stronger_bias(is_compiled):
    """Is so many times β, in plain Python and compiled; moves and codes have the numbers of the problem itself."""
    problem = nrpa.compiled(Weighed()) if is_compiled else Weighed()
    games = [Game(each.model) for each in (with_stronger_bias(problem, 3.0), problem)]
    for steps, game in zip((2, 1), games, strict=True):
        game.reset()
        for _ in range(steps):
            game.play(game.legal_moves()[-1])
        game.legal_moves()
    assert [math.log(each) for each in games[0].exp_biases] == pytest.approx([-6.0, -4.5])
    assert [math.log(each) for each in games[1].exp_biases] == pytest.approx([-1.0, -0.5])
    assert games[0].model.numbering() == games[1].model.numbering()
