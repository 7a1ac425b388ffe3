"""Weak Schur numbers: the longest partition of 1, 2, 3, … into weakly sum-free parts."""

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import whole
from nrpa.io.source import Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import cut, fault_in_lists, faultless, zeros
from nrpa.problems.lines import Located, located_lines, read_only_line, whole_within

kernels = lazy("nrpa.problems.schur.kernels")
rows = lazy("nrpa.problems.schur.rows")
templates = lazy("nrpa.problems.schur.templates")

MOVES = ("all", "repeat")
MOST_PARTS = 16
MOST_NUMBERS = 2**15
LARGEST_READ = 10**6
# The rows in which ``auto`` searches so many parts or more: those that held most numbers after 6 s. By known templates
# it leaves two parts at least for the search.
ROWS: dict[int, dict[str, int]] = {
    5: {"width": 42, "known": True},
    8: {"width": 42, "inner": 33, "known": True},
    9: {"width": 42, "inner": 111, "known": True},
    10: {"width": 39, "inner": 27},
}
PROVEN = {1: 2, 2: 8, 3: 23, 4: 66}


class WeakSchur(CompiledProblem):
    """Put 1, 2, 3, … into parts, as far as it goes, so that no part holds the sum of two different numbers of it.

    The score is the number of numbers placed. A solution is a list of parts, each the list of its numbers. A move puts
    the next number into a part; of empty parts, which are alike, only the first is tried. The code of a move is the
    number with its part; there is no bias.

    Parameters
    ----------
    parts : int
        The number of parts, 1 to 16.

    References
    ----------
    R. W. Irving, *An extension of Schur's theorem on sum-free partitions*, Acta Arithmetica 25, 1973: the bound.

    R. Ageron, P. Casteras, T. Pellerin, Y. Portella, A. Rimmel and J. Tomasik, *New lower bounds for Schur and weak
    Schur numbers*, arXiv 2112.03175, 2021: wider templates.

    F. Rowley, *New lower bounds for weak Schur partitions*, 2021: templates.

    T. Cazenave, *Nested Rollout Policy Adaptation with Selective Policies*, 2016: the rule "repeat".

    Examples
    --------
    >>> problem = WeakSchur(2)
    >>> problem.bound(), problem.check([[1, 2, 4, 8], [3, 5, 6, 7]]).score
    (8.0, 8.0)
    """

    name = "schur"
    picture = "groups:draw_parts"
    objective = Objective("numbers", sign=1)
    forms = (f"the number of parts, 1 to {MOST_PARTS}",)
    codes: int
    moves = Option(
        "all", "Every legal part, or the one of the number before wherever that is legal.", MOVES, tried=MOVES
    )
    width = Option(
        0,
        "The numbers of a row, for a partition in rows; 0 for none.",
        details="Some parts repeat from row to row, and what they leave free of a row goes into one part.",
    )
    template = Option(3, "How many parts repeat from row to row, of each width.")
    inner = Option(0, "How many rows make a row of rows; 0 for none.")
    known = Option(
        False,
        "Begin with published templates: of width 42, and of 33 or 111 rows.",
        details="They are not searched for, and say how many parts repeat, in place of ``template``.",
    )
    limit = Option(
        0,
        "The largest number that is tried; 0: as large as can be.",
        details="No partition into k parts exceeds ⌊k·k!·e⌋, and 32,768 is never exceeded here.",
    )

    def __init__(self, parts: int, **options: Any) -> None:
        self.set_options(**options)
        self.parts = whole("parts", parts, most=MOST_PARTS)
        never_exceeded = math.floor(self.parts * math.factorial(self.parts) * math.e)
        self._last = min(never_exceeded, self.limit or MOST_NUMBERS, MOST_NUMBERS)
        if self.known and not self.width:
            raise InputError("known goes together with width")
        instance = kernels.Instance(self.parts, self._last, self.moves == "repeat")
        steps = self._last
        if self.width:
            instance = self._in_rows()
            steps = 2 * int(instance.widths.sum()) + instance.rows
        super().__init__(instance, max_steps=steps, max_moves=self.parts, codes=(steps + 1) * self.parts)

    def _in_rows(self) -> Any:
        """Return the instance of partitions in rows. Raises InputError where options do not fit."""
        widths = np.array([self.width, self.inner][: 1 + bool(self.inner)], np.int64)
        begins = [templates.known(width, level) for level, width in enumerate(widths.tolist())] if self.known else []
        repeated = [int(begin.max()) for begin in begins] or [self.template] * len(widths)
        firsts = np.concatenate([[0], np.cumsum(repeated)])
        most = self._last // int(widths.prod()) - 1
        if most < 1 or not 1 <= firsts[-1] < self.parts or 0 in repeated:
            raise InputError("a part is left for the rows, and two rows are within the limit")
        # The first number of a level after the first is played with the level before.
        begin = [begin[level > 0 :] + firsts[level] for level, begin in enumerate(begins)]
        moves = np.concatenate([np.zeros(0, np.int64), *begin])
        return rows.Instance(self.parts, firsts, widths, most, self.moves == "repeat", moves)

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the instance of a text that is the number of parts; ``#`` starts a comment."""
        expected = f"the number of parts, 1 to {MOST_PARTS}"
        return cls(read_only_line(source, lambda line: whole_within(line, 1, MOST_PARTS), expected), **options)

    @property
    def label(self) -> str:
        return self.origin.label or f"{self.parts} parts"

    def digest(self) -> str:
        return hashlib.sha256(str(self.parts).encode()).hexdigest()

    def bound(self) -> float | None:
        """Return the weak Schur number of up to 4 parts, which is proved; None for more."""
        proven = PROVEN.get(self.parts)
        return None if proven is None else float(proven)

    def hints(self) -> Hints:
        """Ask for tempering, also in rows and by the rule "repeat": from five parts on, where nothing is chosen."""
        fitting = [parts for parts in ROWS if parts <= self.parts]
        if not fitting or self.given_options:
            return Hints()
        rows, repeated = (WeakSchur(self.parts, **given) for given in (ROWS[fitting[-1]], {"moves": "repeat"}))
        return Hints(tempered=True, arms=(rows, repeated, self), moves_differ=True)

    def new_state(self) -> Any:
        if not self.width:
            of_words = self.parts, (self._last >> 6) + 1
            return zeros(kernels.State, members=of_words, sums=of_words, counts=3)
        levels, widest = len(self.instance.widths), int(self.instance.widths.max())
        of_parts = self.parts, self.instance.rows + 1
        numbers = self.parts, (rows.PERIODS + 2) * widest + 1
        template = {"members": numbers, "free": (levels, widest + 1), "places": (levels + 1, 2)}
        return zeros(rows.State, rows=of_parts, sums=of_parts, counts=3, **template)

    def solution(self, moves: np.ndarray) -> list[list[int]]:
        """Return the parts that moves (int64[steps]: the part of 1, of 2, and so on) build."""
        if self.width:
            moves = self._numbers(np.concatenate([self.instance.begin, moves]))
        return [(np.flatnonzero(moves == part) + 1).tolist() for part in range(int(moves.max(initial=-1)) + 1)]

    def _numbers(self, moves: np.ndarray, level: int = 0) -> np.ndarray:
        """Return the part of each number of a level of rows."""
        free = self.instance.firsts[level + 1]
        begin = next(iter(np.flatnonzero(moves == free)), len(moves))
        width = (self.width, self.inner)[level]
        row, later = moves[begin : begin + width], np.append(free, moves[begin + width :])
        if len(row) < width:
            return moves
        if self.inner and level == 0:
            later = self._numbers(later, 1)
        return np.concatenate([moves[:begin], *(np.where(row == free, part, row) for part in later)])

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves that build a partition, its parts in the order of their smallest numbers."""
        if self.width:
            raise InputError(f"{self.name}: a search in rows starts from no solution")
        moves = np.zeros(int(faultless(self, solution).figures["numbers"]), np.int64)
        for part, numbers in enumerate(sorted((part for part in solution if part), key=min)):
            moves[np.array(numbers) - 1] = part
        return moves

    def check(self, solution: Any) -> Verdict:
        fault = fault_in_lists(solution, "a partition is a list of parts", "part", "whole numbers", 10**6)
        if fault:
            return Verdict({}, [fault])
        faults = []
        if len(solution) > self.parts:
            faults.append(f"there are {len(solution)} parts; expected at most {self.parts}")
        numbers = sorted(number for part in solution for number in part)
        placed = next((k for k, number in enumerate(numbers) if number != k + 1), len(numbers))
        if placed < len(numbers):
            faults.append(f"expected the number {placed + 1} once, and every one from 1 to {len(numbers)}")
        for index, part in enumerate(solution, start=1):
            found = sum_in(part)
            if found:
                small, large = found
                faults.append(f"part {index}: {small + large} is the sum of {small} and {large}")
        return Verdict({"numbers": placed, "parts": sum(map(bool, solution))}, faults, score=float(placed))

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the partition that a text holds: a line for each part, as ``draw`` writes it."""
        rows = [line.words() for line in located_lines(text.replace(",", " "))]
        return [[number for word in words for number in _run(word)] for words in rows]

    def draw(self, solution: Any) -> str:
        """Return a line for each part: its numbers, runs of them as ``first-last``.

        >>> print(WeakSchur(2).draw([[1, 2, 4, 8], [3, 5, 6, 7]]))
        1-2 4 8
        3 5-7
        """
        return "\n".join(" ".join(_runs(sorted(part))) for part in solution)

    def sketch(self, solution: Any) -> str:
        return cut(self.draw(solution))


def _runs(numbers: Sequence[int]) -> list[str]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return [str(first) if first == last else f"{first}-{last}" for first, last in runs]


def _run(word: Located) -> range:
    found = re.fullmatch("([0-9]{1,7})(?:-([0-9]{1,7}))?", word)
    if found:
        first = int(found[1])
        last = int(found[2] or first)
        if 1 <= first <= last <= LARGEST_READ:
            return range(first, last + 1)
    return word.expected(f"a number from 1 to {LARGEST_READ:,}, or a run such as 5-7")


def sum_in(part: list[int]) -> tuple[int, int] | None:
    """Return two different numbers of a part whose sum is in it too, None if there are none."""
    members = sum(1 << number for number in set(part))
    for small in sorted(set(part)):
        larger = members >> (small + 1) << (small + 1)
        sums = (larger << small) & members
        if sums:
            total = (sums & -sums).bit_length() - 1
            return small, total - small
    return None
