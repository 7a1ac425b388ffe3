"""Breakthrough."""

from nrpa.problems.games.advance_problem import AdvanceProblem, Step


class Breakthrough(AdvanceProblem):
    """Breakthrough: two rows of pawns each; who first reaches the other side of the board wins.

    A pawn goes one cell forward, straight or diagonally, to an empty cell; diagonally it can capture. The first player
    begins in the first two rows and goes down. A player whose pawns are all captured has lost, too. Who wins gets 1.

    The code of a move is its player, the cell of the pawn, the direction, and whether it captures; there is no more
    abstract one.

    Parameters
    ----------
    size : int
        The cells of a row, 5 to 19.
    codes : {"exact", "abstract"}
        The same here.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.1, 8 × 8.

    Examples
    --------
    >>> problem = Breakthrough(size=5)
    >>> print(problem.draw(["a2-b3", "a4-b3"]))
        a b c d e
     1  X X X X X
     2  . X X X X
     3  . O . . .
     4  . O O O O
     5  O O O O O
    """

    name = "breakthrough"
    steps = (Step(1, -1, True), Step(1, 0, False), Step(1, 1, True))
