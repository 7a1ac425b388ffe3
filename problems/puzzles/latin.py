"""Latin squares: complete a square so that no row or column holds a number twice."""

# mypy: ignore-errors

from typing import Any, Self

import numpy as np

from nrpa.base.values import SeedLike, checked_seed, whole
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.problems.common import whole_text
from nrpa.problems.lines import Located, located_lines
from nrpa.problems.puzzles.squares import MOST, ROWS, SquareProblem


@compiled
class LatinSquare(SquareProblem):
    """Complete a square so that each row and each column holds every number once: quasigroup completion.

    A move fills a cell for which the fewest numbers are left; cells for which none is left stay empty, and the cost is
    how many they are. A solution is the list of rows, with 0 where a cell is empty. The code of a move is the cell with
    its number; there is no bias.

    Parameters
    ----------
    grid : list of list of int
        The rows, 2 to 50, with 0 where a cell is empty.

    References
    ----------
    C. P. Gomes and B. Selman, *Problem structure in the presence of perturbations*, AAAI 1997: the problem.

    D. Achlioptas, C. Gomes, H. Kautz and B. Selman, *Generating satisfiable problem instances*, AAAI 2000: with holes.

    M. T. Jacobson and P. Matthews, *Generating uniformly distributed random Latin squares*, Journal of Combinatorial
    Designs 4, 1996: the squares of ``drawn``.

    Examples
    --------
    >>> problem = LatinSquare([[1, 0, 0], [0, 0, 1], [0, 1, 0]])
    >>> problem.check([[1, 2, 3], [2, 3, 1], [3, 1, 2]]).figures
    {'empty': 0}
    """

    name = "latin"
    forms = (*ROWS, "lsencode (.pls): the word order and the order, then rows of 0, 1, 2, …, -1 for an empty cell")

    @staticmethod
    def units_of(order: int) -> np.ndarray:
        row, column = np.divmod(np.arange(order * order), order)
        return np.stack([row, order + column], axis=1)

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the square of a text: rows of signs or of numbers, or a file of lsencode."""
        lines = located_lines(whole_text(source), source.label)
        if lines and lines[0].split()[0] == "order":
            return cls._of_lines(lines[1:], _rows_of_lsencode(lines), options)
        return super().from_source(source, **options)

    @classmethod
    def drawn(cls, order: int, empty: int, seed: SeedLike = 1) -> Self:
        """Return a random Latin square with so many empty cells, which has a solution: quasigroup with holes."""
        order = whole("order", order, least=2, most=MOST)
        random = np.random.default_rng(checked_seed(seed))
        grid = (random_square(order, random) + 1).ravel()
        grid[random.permutation(order * order)[: whole("empty", empty, least=0, most=order * order)]] = 0
        return cls(grid.reshape(order, order).tolist())


def random_square(order: int, random: np.random.Generator) -> np.ndarray:
    """Return a random Latin square of 0 to order - 1: order³ steps of Jacobson and Matthews from the cyclic one.

    A square is the cube of its facts "row, column, number". A step adds a fact that is missing and takes out those that
    it clashes with; a fact may be there -1 times in between, which the next step mends.
    """
    places = np.arange(order)
    cube = np.zeros((order, order, order), np.int64)
    cube[places[:, None], places, (places[:, None] + places) % order] = 1
    steps, wrong = 0, None
    while steps < order**3 or wrong is not None:
        x, y, z = wrong or _missing(cube, random)
        a, b, c = (int(random.choice(np.flatnonzero(line > 0))) for line in (cube[:, y, z], cube[x, :, z], cube[x, y]))
        for i, j, k in ((x, y, z), (x, b, c), (a, y, c), (a, b, z)):
            cube[i, j, k] += 1
        for i, j, k in ((a, y, z), (x, b, z), (x, y, c), (a, b, c)):
            cube[i, j, k] -= 1
        wrong = (a, b, c) if cube[a, b, c] < 0 else None
        steps += 1
    return cube.argmax(axis=2)


def _missing(cube: np.ndarray, random: np.random.Generator) -> tuple[int, int, int]:
    while True:
        x, y, z = (int(number) for number in random.integers(len(cube), size=3))
        if cube[x, y, z] == 0:
            return x, y, z


def _rows_of_lsencode(lines: list[Located]) -> list[list[int]]:
    """Return the rows of a file of lsencode, whose numbers begin with 0."""
    words = lines[0].words()
    order = words[1].whole(2, MOST, f"an order of 2 to {MOST}") if len(words) == 2 else lines[0].expected("order N")
    if len(lines) != order + 1:
        lines[-1].expected(f"{order} rows after the order, not {len(lines) - 1}")
    rows = [line.words() for line in lines[1:]]
    for line, row in zip(lines[1:], rows, strict=True):
        if len(row) != order:
            line.expected(f"{order} numbers")
    what = f"a number from 0 to {order - 1}, or -1 for an empty cell"
    return [[word.whole(-1, order - 1, what) + 1 for word in row] for row in rows]
