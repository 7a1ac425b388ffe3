"""Problems of users that the tests break on purpose."""

import itertools
import sys
from pathlib import Path

import nrpa

EXAMPLES = Path(__file__).parent.parent / "examples"
if str(EXAMPLES) not in sys.path:
    sys.path.append(str(EXAMPLES))


class Bits(nrpa.Problem):
    """Choose ten bits; the score is how many are set."""

    steps = 10

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return () if len(state) == self.steps else (0, 1)

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)

    def code(self, state, move):
        return (len(state), move)


class Numbers(Bits):
    """Choose 25 numbers up to 20; the score is a sum of neighbours' worth, in which no arm finds the best soon."""

    steps = 25

    def legal_moves(self, state):
        return () if len(state) == self.steps else range(20)

    def score(self, state):
        return sum((7 * one + 11 * other) ** 2 % 97 for one, other in itertools.pairwise(state))


class ValuedBits(Bits):
    """The same, with what a beginning promises: a bit more for every second 1, so that the values mislead a little."""

    def value(self, state):
        return sum(state) + 0.3 * sum(state[::2])


def solved(problem):
    """Return the result of a short search; in a module that another process can import."""
    return nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=20).to_dict()


class Pairs(nrpa.Problem):
    """Choose one of three in each of six steps: many ones, which come with waste."""

    objective = nrpa.Lexicographic(nrpa.Objective("ones", 1), nrpa.Objective("waste", -1, digits=2))
    costs = ((0.31, 0.8, 2.25), (0.5, 1.75, 1.5), (0.1, 0.4, 3.0), (0.77, 0.9, 4.5), (0, 0.25, 2.0), (1.1, 2.9, 3.3))

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return () if len(state) == len(self.costs) else (0, 1, 2)

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state), -sum(cost[move] for cost, move in zip(self.costs, state, strict=True))

    def code(self, state, move):
        return (len(state), move)

    def all_scores(self):
        """Return the scores of all solutions, rounded as they count."""
        found = (self.score(state) for state in itertools.product(range(3), repeat=len(self.costs)))
        return [(ones, round(waste, 2)) for ones, waste in found]


class Digits(nrpa.Problem):
    """What the program `answering.py` plays: three digits, of which the sum counts."""

    objective = nrpa.Objective("sum", sign=1, digits=2)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [("digit", digit) for digit in range(4)] if len(state) < 3 else []

    def play(self, state, move):
        return (*state, move[1])

    def score(self, state):
        return sum(state)
