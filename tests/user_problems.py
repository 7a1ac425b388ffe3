"""Problems of users that the tests break on purpose."""

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


class ValuedBits(Bits):
    """The same, with what a beginning promises: a bit more for every second 1, so that the values mislead a little."""

    def value(self, state):
        return sum(state) + 0.3 * sum(state[::2])


def solved(problem):
    """Return the result of a short search; in a module that another process can import."""
    return nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=20).to_dict()
