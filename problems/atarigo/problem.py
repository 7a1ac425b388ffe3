"""Atarigo."""

from nrpa.base.options import Option
from nrpa.problems.games.cells import LARGEST
from nrpa.problems.nogo.problem import ChainProblem


class Atarigo(ChainProblem):
    """Atarigo, or Capture Go: place a stone on an empty cell; who first captures wins.

    A chain is a group of stones of one player that touch along the lines of the board, and its liberties are the empty
    cells beside it. A move that leaves a chain of the other player without liberties captures it: it wins, and gets 1.
    A move that leaves one's own chain without liberties is legal only if it captures. Who cannot move loses.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.1.

    Examples
    --------
    >>> problem = Atarigo(size=2)
    >>> problem.check(["a1", "a2", "b2"]).figures
    {'moves': 3, 'rewards': [1.0, 0.0]}
    """

    name = "atarigo"
    capture_wins = True
    size = Option(6, "The cells of a row.", least=2, most=LARGEST)
