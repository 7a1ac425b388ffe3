"""Knightthrough."""

from nrpa.problems.breakthrough.problem import Breakthrough
from nrpa.problems.breakthrough.rules import PieceStep


class Knightthrough(Breakthrough):
    """Knightthrough: Breakthrough with knights that only go forward.

    A knight goes two rows forward and one column to a side, or one row forward and two columns to a side, to an empty
    cell or to one that it captures. The first player begins in the first two rows and goes down; who first reaches the
    other side of the board, or captures all, wins and gets 1.

    The code of a move is its player, the cell of the knight, the direction, and whether it captures; there is no more
    abstract one.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.1, 8 × 8.

    Examples
    --------
    >>> Knightthrough().check(["a1-b3", "a8-b6", "b3-a5", "b6-c4", "a5-b7", "c4-d2"]).faults
    ['after 6 moves the game has not ended']
    """

    name = "knightthrough"
    steps = (PieceStep(1, -2, True), PieceStep(1, 2, True), PieceStep(2, -1, True), PieceStep(2, 1, True))
