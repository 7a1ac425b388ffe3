"""Pancakes: sort a stack by turning over its top, in the fewest flips."""

# mypy: ignore-errors

from itertools import pairwise
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import SeedLike, checked_seed, shown, whole
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, is_whole
from nrpa.problems.lines import faults_of_words, words_of

MOST = 1000


@compiled
class Pancakes(Problem):
    """Sort a stack of pancakes of different sizes, the smallest on top, by few flips of some from the top.

    A move is how many are turned over. There is a gap where two pancakes touch that are not next to each other in size,
    the plate being the largest. A flip mends one gap at most, so the gaps are a bound. A game ends when there is none,
    when no flip is listed, or after 2n flips; with gaps left it costs 2n and these. The code of a move is the two
    pancakes, or the pancake and the plate, that it brings together; the bias is 2 for a mended gap.

    Parameters
    ----------
    stack : list of int
        The sizes 1 to n, from the top.

    References
    ----------
    W. H. Gates and C. H. Papadimitriou, *Bounds for sorting by prefix reversal*, Discrete Mathematics 27, 1979.

    M. Helmert, *Landmark heuristics for the pancake problem*, SoCS 2010: the bound.

    B. Bouzy, *An experimental investigation on the pancake problem*, Computer Games 2015: nested search on it.

    Examples
    --------
    >>> problem = Pancakes([2, 4, 1, 3])
    >>> problem.bound(), problem.check([2, 4, 3, 2]).figures
    (4.0, {'flips': 4, 'gaps': 0})
    """

    name = "pancake"
    objective = Objective("flips", sign=-1)
    _may_be_done = True
    forms = ("the sizes 1 to n from the top, between blanks",)
    moves = Option(
        "mending",
        "Only flips that mend a gap, and where none does, those that open none; or all flips but the last again.",
        ("mending", "all"),
        tried=("mending", "all"),
    )

    def __init__(self, stack: Any, **options: Any) -> None:
        super().__init__(**options)
        self.stack = stack_of(stack)
        self.most, self.mending = 2 * len(self.stack), self.moves == "mending"
        self.gaps = int(np.sum(np.abs(np.diff([*self.stack, len(self.stack) + 1])) != 1))

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the stack of a text: whole numbers, on one line or several."""
        words = words_of(source)
        sizes = [word.whole(1, MOST, f"a size from 1 to {MOST}") for word in words]
        with faults_of_words(words, sizes):
            return cls(sizes, **options)

    @classmethod
    def drawn(cls, size: int, seed: SeedLike = 1) -> Self:
        """Return a random stack."""
        size = whole("size", size, least=2, most=MOST)
        return cls((np.random.default_rng(checked_seed(seed)).permutation(size) + 1).tolist())

    def bound(self) -> float:
        return float(self.gaps)

    def initial_state(self) -> Any:
        return self.stack.copy(), 0, self.gaps, 0

    def legal_moves(self, state: Any) -> list[int]:
        stack, flips, gaps, last = state
        if gaps == 0 or flips == self.most:
            return []
        mended = [self.mended(stack, number) for number in range(1, len(stack) + 1)]
        best = max(mended[1:]) if self.mending else -1
        return [number for number in range(2, len(stack) + 1) if mended[number - 1] >= best and number != last]

    def mended(self, stack: np.ndarray, number: int) -> int:
        """Return how many gaps a flip mends: 1, 0 or -1."""
        below = stack[number] if number < len(stack) else len(stack) + 1
        return int(abs(stack[number - 1] - below) != 1) - int(abs(stack[0] - below) != 1)

    def play(self, state: Any, move: int) -> Any:
        stack, flips, gaps, _ = state
        after = stack.copy()
        after[:move] = stack[:move][::-1]
        return after, flips + 1, gaps - self.mended(stack, move), move

    def score(self, state: Any) -> float:
        return -(state[1] if state[2] == 0 else self.most + state[2])  # type: ignore[no-any-return]

    def code(self, state: Any, move: int) -> Any:
        stack = state[0]
        return stack[0], stack[move] if move < len(stack) else len(stack) + 1

    def bias(self, state: Any, move: int) -> float:
        return 2.0 * self.mended(state[0], move)

    def check(self, solution: Any) -> Verdict:
        size = len(self.stack)
        fits = f"a whole number from 2 to {size}"
        fault = fault_in_list(solution, "a solution is a list of flips", "flip", fits, lambda k: is_whole(k, 2, size))
        if fault is None and len(solution) > self.most:
            fault = f"expected at most {self.most} flips, found {len(solution)}"
        if fault:
            return Verdict({}, [fault])
        stack = self.stack.tolist()
        for flip in solution:
            stack[:flip] = reversed(stack[:flip])
        gaps = sum(abs(one - other) != 1 for one, other in pairwise([*stack, size + 1]))
        faults = [f"the stack is not sorted: {gaps} gaps are left"] if gaps else []
        cost = self.most + gaps if gaps else len(solution)
        return Verdict({"flips": cost, "gaps": gaps}, faults, score=-float(cost), faults_counted=True)

    def draw(self, solution: Any) -> str:
        """Return the stack before the first flip and after each, from the top, the flipped ones before a bar."""
        stack, lines = self.stack.tolist(), list[str]()
        for flip in [*solution, 0]:
            shown = [*stack[:flip], *["|"] * bool(flip), *stack[flip:]]
            lines.append(" ".join(map(str, shown)))
            stack[:flip] = reversed(stack[:flip])
        return "\n".join(lines)


def stack_of(stack: Any) -> np.ndarray:
    """Return a stack as an array; InputError if it does not hold 1 to n once each."""
    try:
        sizes = np.array([whole("a size", size, most=MOST) for size in stack], np.int64)
    except TypeError:
        raise InputError(f"a stack is a list of sizes, not {shown(stack)}") from None
    if len(sizes) < 2 or sorted(sizes) != [*range(1, len(sizes) + 1)]:
        what = f"a stack holds each size from 1 to n once, n being 2 to {MOST}"
        raise InputError(f"{what}, not {shown(sizes.tolist())}")
    return sizes
