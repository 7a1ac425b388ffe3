"""Snakes and coils in hypercubes."""

import hashlib
import os
import re
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError, faults_of
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import flag, shortened, whole
from nrpa.io.files import exists
from nrpa.io.source import Source, bundled
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import fault_in_list, faultless, is_whole, zeros
from nrpa.problems.lines import read_only_line, whole_within

kernels = lazy("nrpa.problems.snake.kernels")

LEAST, MOST = 2, 14
LEAST_QUARTERED = 7
SNAKES = {2: 2, 3: 4, 4: 7, 5: 13, 6: 26, 7: 50, 8: 98}
COILS = {2: 4, 3: 6, 4: 8, 5: 14, 6: 26, 7: 48, 8: 96}
PER_LINE = 80
# Long snakes of a dimension less (``experiments/results/snake-8.csv``, ``snake-9.csv``), without their last edges, by
# dimensions: what ``auto`` begins with. Better for snakes of 9 and 10 is the beginning of one of 190 edges (E. Wynn,
# 2012, as T. E. Ace prints it, 2025).
BEGINS = {
    8: "0120310420135012031042165013502405302501350240",
    9: "01203142012541206214530541534521450356401206250751452051260253452145016052145205125362102503",
    10: "0120314201254120621453054153452145035640120625075145205126025345214501605214520512536210250348012062"
    "5045214503564012062536012063054125612017031205645025412503564501205645025412503",
}
SNAKE_BEGINS = BEGINS | {
    9: "012031402105410214321026431450413421043145014327312014301263214305310230531450360431402",
    10: "0120314021054102143210264314504134210431450143273120143012632143053102305314503604314021431046806104"
    "314501431063021432035043203145365403140543753140214310451341021431650453145",
}


class Snake(CompiledProblem):
    """Snake-in-the-box: the longest path in a hypercube without a chord; coil-in-the-box: the longest such cycle.

    The score is the number of edges; a coil that is not closed scores below 1. A solution is the list of the
    dimensions, from 0, along which the edges go from vertex 0 on; the edge that closes a coil is not in it. A move is a
    dimension; of those that were not used before, which are alike, only the lowest is tried. The code of a move is the
    vertex with the dimension; there is no bias.

    Parameters
    ----------
    dimensions : int
        Of the hypercube, 2 to 14.
    coil : bool
        Whether the path has to close.

    References
    ----------
    W. H. Kautz, *Unit-distance error-checking codes*, IRE Transactions on Electronic Computers 7, 1958.

    D. Kinny, *A new approach to the snake-in-the-box problem*, ECAI 2012: by nested Monte Carlo search.

    E. Wynn, *Constructing circuit codes by permuting initial sequences*, arXiv 1201.1647, 2012: copies of a part.

    P. R. J. Östergård and V. H. Pettersson, *Exhaustive search for snake-in-the-box codes*, Graphs and Combinatorics
    31, 2015: 98 and 96 in 8 dimensions are the most.

    Examples
    --------
    >>> Snake(3).bound(), Snake(3).check([0, 1, 2, 0]).score
    (4.0, 4.0)
    """

    name = "snake"
    picture = "groups:draw_walk"
    objective = Objective("edges", sign=1)
    forms = (f"a number of dimensions, {LEAST} to {MOST}, after `coil` for coils: `coil 7`",)
    symmetric = Option(
        False,
        "Search only snakes and coils that a symmetry of the cube takes to themselves.",
        details="A move then adds two edges, one at each end of a snake, or one in each half of a coil.",
    )
    quarters = Option(
        False,
        "Search only coils of four equal parts, which a symmetry of the cube takes to each other.",
        details="It turns some dimensions, and others change places; a move adds four edges.",
    )
    begin = Option("", "The edges with which every path begins, as digits: a snake of fewer dimensions.")
    codes: int

    def __init__(self, dimensions: int, coil: bool = False, **options: Any) -> None:
        self.set_options(**options)
        self.dimensions = whole("dimensions", dimensions, LEAST, MOST)
        self.coil = flag("coil", coil)
        with faults_of("begin"):
            begun = self._begun()
        vertices = 2**self.dimensions
        self.permutation, self.end = self._symmetry()
        images = self._images()
        super().__init__(
            kernels.Instance(self.dimensions, self.coil, images, self.end, np.array(begun, np.int64)),
            max_steps=vertices // 2 + 1,
            max_moves=self.dimensions,
            codes=vertices * self.dimensions,
        )

    def _symmetry(self) -> tuple[list[int], int]:
        """Return the cube's symmetry that paths have: where it takes each dimension, and the beginning of a coil."""
        n = self.dimensions
        if self.quarters:
            if not self.coil or n < LEAST_QUARTERED:
                raise InputError(f"quarters: expected a coil in {LEAST_QUARTERED} dimensions or more")
            return [*range(n - 6), n - 5, n - 6, n - 3, n - 2, n - 1, n - 4], (1 << n - 5) - 1
        if self.coil:
            return list(range(n)), (1 << max(2, n - 2)) - 1 if self.symmetric else 0
        return [k ^ 1 if k < n & ~1 else k for k in range(n)], (n & 1) << n - 1 if self.symmetric else 0

    def _images(self) -> np.ndarray:
        """Return where the powers of the symmetry take each vertex, int64[powers, vertices]."""
        vertices = np.arange(2**self.dimensions)
        turned = np.full_like(vertices, self.end)
        for dimension, other in enumerate(self.permutation):
            turned ^= (vertices >> dimension & 1) << other
        images = [turned] if self.symmetric or self.quarters else []
        while images and not np.array_equal(turned[images[-1]], vertices):
            images.append(turned[images[-1]])
        return np.array(images, np.int64).reshape(-1, len(vertices))

    def hints(self) -> Hints:
        """Ask for tempering; unless one is chosen, also from a smaller snake, and of paths with symmetries."""
        if {"begin", "symmetric", "quarters"} & set(self.given_options):
            return Hints(tempered=True)
        begin = (BEGINS if self.coil else SNAKE_BEGINS).get(self.dimensions, "")
        given: list[dict[str, Any]] = [{"begin": begin}] if begin else []
        if self.coil and (begin or self.dimensions == LEAST_QUARTERED):
            given.append({"quarters": True})
        elif begin:
            given.append({"symmetric": True})
        forms = (Snake(self.dimensions, self.coil, **options) for options in given)
        return Hints(tempered=True, arms=(*forms, self) if given else (), moves_differ=bool(given))

    def _begun(self) -> list[int]:
        """Return the edges with which every path begins. Raises InputError where no path does."""
        begun = self.parse_solution(self.begin)
        if faults := check_path(self.dimensions, False, begun).faults:
            raise InputError(faults[0])
        if begun and (self.symmetric or self.quarters):
            raise InputError("does not go together with symmetric or quarters")
        return begun

    @classmethod
    def load(cls, name: str | os.PathLike[str], **options: Any) -> Self:
        """Return the instance with a name; those that are not bundled are named alike: ``12``, ``coil-12``."""
        named = re.fullmatch(r"(coil-)?([0-9]{1,4})", os.fspath(name))
        if named is None or exists(name) or os.fspath(name) in bundled(cls.bundled_with().name):
            return super().load(name, **options)
        if int(named[2]) > MOST:
            why = f"as edges are written as the digits 0 to 9 and letters a to {_letter(MOST - 1)}"
            raise InputError(f"{cls.name}: at most {MOST} dimensions can be searched, not {int(named[2])}, {why}")
        return cls(int(named[2]), named[1] is not None, **options)

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the instance of a text: a number of dimensions, after ``coil`` for coils; ``#`` starts a comment."""

        def read(line: str) -> tuple[int, bool] | None:
            found = re.fullmatch(r"(coil\s+)?(\S+)", line)
            dimensions = whole_within(found[2], LEAST, MOST) if found else None
            return (dimensions, found[1] is not None) if found and dimensions else None

        expected = f"a number of dimensions, {LEAST} to {MOST}, or `coil` and that number"
        return cls(*read_only_line(source, read, expected), **options)

    @property
    def label(self) -> str:
        return self.origin.label or f"{'coil' if self.coil else 'snake'} in {self.dimensions} dimensions"

    def digest(self) -> str:
        return hashlib.sha256(f"{self.dimensions} {self.coil}".encode()).hexdigest()

    def bound(self) -> float | None:
        """Return the most edges, which are proved up to 8 dimensions; None beyond."""
        proven = (COILS if self.coil else SNAKES).get(self.dimensions)
        return None if proven is None else float(proven)

    def new_state(self) -> Any:
        return zeros(kernels.State, near=2**self.dimensions, counts=4)

    def solution(self, moves: np.ndarray) -> list[int]:
        """Return the path; a symmetric one goes on as the symmetry takes it."""
        walked: list[int] = moves.tolist()
        if not len(self.instance.images):
            return [*self.instance.begin.tolist(), *walked]
        if not self.coil:
            before = [self.permutation[move] for move in reversed(walked)]
            return before + [self.dimensions - 1] * (self.dimensions & 1) + walked
        across = self.end
        for move in walked:
            across ^= 1 << move
        if across.bit_count() != 1:
            return walked
        path = copy = [*walked, across.bit_length() - 1]
        for _ in self.instance.images:
            copy = [self.permutation[dimension] for dimension in copy]
            path = path + copy
        return path[:-1]

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves that build a path, the dimensions renamed in the order in which they are first used."""
        faultless(self, solution)
        if not len(self.instance.images):
            begun, names = self.instance.begin.tolist(), dict[int, int]()
            path = [names.setdefault(dimension, len(names)) for dimension in solution]
            if path[: len(begun)] != begun:
                raise InputError(f"{self.name}: the path to start from does not begin with {self.begin}")
            return np.array(path[len(begun) :], np.int64)
        part = (len(solution) + self.coil) // (len(self.instance.images) + 1)
        moves = np.array(solution[: part - 1] if self.coil else solution[len(solution) - part :], np.int64)
        if self.solution(moves) != list(solution):
            raise InputError(f"{self.name}: the solution to start from is not symmetric")
        return moves

    def check(self, solution: Any) -> Verdict:
        return check_path(self.dimensions, self.coil, solution)

    def draw(self, solution: Any) -> str:
        """Return the dimensions one after the other, a letter or digit each, 80 in a line."""
        text = "".join(map(_letter, solution))
        return "\n".join(text[k : k + PER_LINE] for k in range(0, len(text), PER_LINE))

    @classmethod
    def parse_solution(cls, text: str) -> list[int]:
        r"""Return the path that a text holds: a digit or letter for each dimension, as ``draw`` writes them.

        >>> Snake.parse_solution("0120a\n1"), Snake.parse_solution("0, 1, 10")
        ([0, 1, 2, 0, 10, 1], [0, 1, 10])
        """
        lines = text.split("\n")
        if any(re.search(r"\S[\s,]+\S", line) for line in lines):
            numbers: list[int] = super().parse_solution(text)
            return numbers
        joined = "".join(lines).strip()
        if not re.fullmatch("[0-9a-d]*", joined):
            raise InputError(f"expected digits and letters a to d, one for each edge, found {shortened(joined)!r}")
        return [int(character, 36) for character in joined]


def _letter(dimension: int) -> str:
    return np.base_repr(dimension, 36).lower()


def check_path(dimensions: int, coil: bool, solution: Any) -> Verdict:
    """Check that vertices of a path are neighbours only where they follow each other."""
    what, expected = "a path is a list of dimensions", f"a dimension, 0 to {dimensions - 1}"
    fault = fault_in_list(solution, what, "edge", expected, lambda found: is_whole(found, 0, dimensions - 1))
    if fault is None and len(solution) >= 2**dimensions:
        fault = f"{len(solution)} edges; a path has at most {2**dimensions - 1}"
    if fault:
        return Verdict({}, [fault])
    path = [0]
    for dimension in solution:
        path.append(path[-1] ^ (1 << dimension))
    closed = coil and len(path) > 3 and (path[0] ^ path[-1]).bit_count() == 1
    chords, first = [], dict[int, int]()
    for j, vertex in enumerate(path):
        around = (vertex, *(vertex ^ (1 << dimension) for dimension in range(dimensions)))
        near = sorted(first[other] for other in around if other in first)
        chords += [(i, j) for i in near if i < j - 1 and not (closed and i == 0 and j == len(path) - 1)]
        first.setdefault(vertex, j)
    faults = [f"vertices {i + 1} and {j + 1} of the path are too near each other" for i, j in chords[:3]]
    if coil and not closed:
        faults.append("the coil is not closed")
    edges = 0 if coil and not closed else len(solution) + closed
    score = len(solution) / 2**dimensions if coil and not closed else float(edges)
    return Verdict({"edges": edges}, faults, score=score, faults_counted=not chords)
