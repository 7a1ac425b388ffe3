"""Small plain-Python problems with odd scores, searched by every solver, beside all of their solutions.

A problem has one to four steps of two or three moves; each solution has a random score: a number of some type, of any
size, or no number at all. A search ends with the best of all solutions where it says "optimal", with a score that its
solution has, or with one sentence where a score is out of range.
"""

import math
import random
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tries import SEED, tries

import nrpa
from nrpa.registry import solver_class, solvers

GOOD = [0, 1.0, -3, 5e-324, -1e-310, 1e-200, 1e-100, 1e16, 1e16 + 2, -1e9, 1e100, -1e100, -(10**18), 2**300, -0.0]
GOOD += [np.float32(0.1), np.int8(-7), np.array(2.5), np.longdouble(4), Fraction(1, 3), Decimal("1.5")]
BAD = [
    math.nan,
    math.inf,
    -math.inf,
    1e308,
    -1.5e308,
    10**99,
    2**53 + 1,
    10**400,
    True,
    np.False_,
    "12",
    b"1",
    None,
    [1],
    2j,
]
OPTIONS = [{}, {"level": 1}, {"level": 2}, {"normalise": False}, {"mix": 0.5}, {"commit": 5.0}, {"budget": 3}]
OPTIONS += [{"selection": "ucb1-tuned"}, {"selection": "boltzmann"}, {"policy": "mast"}, {"policy": "adapt"}]


class Odd(nrpa.Problem):
    """Each solution has a score from a table; moves are digits."""

    def __init__(self, steps, moves, scores):
        self.steps, self.moves = steps, [*range(moves)]
        self.scores = dict(zip(product(self.moves, repeat=steps), scores, strict=True))

    initial_state = tuple
    play = staticmethod(lambda state, move: (*state, move))

    def legal_moves(self, state):
        return self.moves if len(state) < self.steps else []

    def score(self, state):
        return self.scores[state]


def fault(problem, bad, solver, seed):
    """Return what is wrong with a search; empty if nothing is."""
    try:
        result = nrpa.solve(problem, solver, seed=seed, playouts=200)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return "" if bad and said.startswith("ProblemError: Odd.score returned") and "\n" not in said else said
    if result.status == "optimal" and (bad or result.score != max(map(float, problem.scores.values()))):
        return f"optimal {result.score}"
    return "" if result.score == float(problem.scores[tuple(result.solution)]) else f"{result.score} {result.solution}"


@pytest.mark.parametrize("name", [name for name in solvers.bundled if name != "pareto"])
def test_odd_scores(name):
    """A search that does not end is ended by ``faulthandler_timeout``."""
    made, chance = solver_class(name), random.Random(SEED)
    options = [each for each in OPTIONS if {*each} <= {*made.__dataclass_fields__}]
    for number in tries(6):
        steps, moves = chance.randint(1, 4), chance.randint(2, 3)
        few = chance.sample(GOOD, chance.randint(1, 6)) + chance.sample(BAD, max(0, chance.randint(-3, 3)))
        problem = Odd(steps, moves, chance.choices(few, k=moves**steps))
        bad = any(any(score is one for one in BAD) for score in problem.scores.values())
        solver = made(**chance.choice(options))
        assert fault(problem, bad, solver, number) == "", solver
