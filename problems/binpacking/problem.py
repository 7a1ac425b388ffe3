"""Bin packing instances, from Python or from files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import decimal_of
from nrpa.io.source import BestKnown, Origin, Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.binpacking.bounds import Bounds
from nrpa.problems.binpacking.check import check_packing
from nrpa.problems.binpacking.items import Items
from nrpa.problems.binpacking.reader import FORMS, parse_binpacking
from nrpa.problems.common import faultless, most_choices, zeros
from nrpa.problems.lines import Located, located_lines

kernels = lazy("nrpa.problems.binpacking.kernels")
refilling = lazy("nrpa.problems.binpacking.refilling")
columns = lazy("nrpa.problems.binpacking.columns")
jit = lazy("nrpa.machine.jit")
engine_kernels = lazy("nrpa.engine.kernels")
progress = lazy("nrpa.problems.binpacking.progress")

MOVES = ("tight", "rare", "all")
CODES = ("opener", "room")
SIZE_BIAS = 5.0
WASTE_BIAS = 100.0
SKETCHED = 40
WIDTH, SHADES = 30, "█▓"
MOST_CODES = 2**18
REACH_BITS = 2**16
ROOM_TABLE = 2**16
WASTE_TABLE = 2**12
MOST_ROWS, MOST_CELLS, FEWEST_CELLS = 600, 2**20, 1000
MOST_LISTED, MOST_LOOKED_AT = 2**27, 2**31
"""Of items times sizes, and of these times words of the look-ahead: the most with which all that fits is listed."""


class BinPacking(CompiledProblem):
    """One-dimensional bin packing: put items into as few bins as possible.

    The objective is the number of bins; the score is -bins - (1 - mean squared fill) / 2, so that of two packings the
    one with fuller bins counts more. A solution is the list of bins, each a list of sizes. A move puts an item of one
    size into the bin at hand, which begins with the largest item that is left. Its bias is β = 5 size / capacity, and
    but for "all" moves -100 waste / capacity more, waste being how much more room must be left over than after the best
    move.

    Parameters
    ----------
    capacity : int, float or Decimal
        The capacity of every bin, above 0. Fractions are taken as the decimals they are written as (0.1 is one tenth),
        and scaled exactly to whole numbers; the scaled capacity is at most 10^12.
    sizes : sequence or ndarray of int, float or Decimal, shape (items,)
        The sizes of the items, each above 0 and at most ``capacity``.

    Attributes
    ----------
    scale : int
        A power of ten; sizes and capacity times ``scale`` are whole numbers.

    References
    ----------
    S. Martello and P. Toth, *Knapsack Problems*, Wiley 1990: the lower bound L2.

    Examples
    --------
    >>> problem = BinPacking(capacity=10, sizes=[7, 4, 3, 2.5, 2.5])
    >>> problem.bound(), problem.bounds.ffd, problem.scale
    (2, 2, 10)
    >>> problem.check([[7, 3], [4, 2.5, 2.5]]).figures["bins"]
    2
    """

    codes: int

    name = "binpacking"
    picture = "groups:draw_bins"
    objective = Objective("bins", sign=-1, tie_break=0.5)
    forms = FORMS
    moves = Option(
        "tight",
        "Sizes that keep the lower bound within reach; others, too, but rarely; or all.",
        MOVES,
        tried=MOVES,
        details="Rarely is by a bias of -20.7: playouts are as with tight but for packings that were improved.",
    )
    code_rule = Option(
        "opener",
        "What a weight depends on beside the size: the bin's first item or its room.",
        CODES,
        name="codes",
        tried=CODES,
        details="The attribute of the problem is ``code_rule``.",
    )

    def __init__(
        self, capacity: float | Decimal, sizes: Sequence[float | Decimal] | np.ndarray, **options: Any
    ) -> None:
        self.set_options(**options)
        self._items = sizes if isinstance(sizes, Items) else Items(capacity, sizes)
        instance = self._build()
        types = len(instance.size)
        listed = min(types, 2 * kernels.NEAR) if instance.near else types
        last_key = types - 1 if instance.by_opener else instance.capacity
        super().__init__(
            instance,
            max_steps=self.items,
            max_moves=listed,
            max_total=most_choices(self.items, listed),
            codes=((last_key >> instance.key_shift) + 1) * types,
            bias_by_move=instance.tight or instance.near,
        )

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        parsed = parse_binpacking(source)
        problem = cls(parsed.capacity, parsed.sizes, **options)
        if parsed.best is not None:
            problem.origin = Origin(best_known=BestKnown(parsed.best, source=source.label))
        return problem

    @property
    def capacity(self) -> float:
        """The capacity as it was given: an int, or a float where it is no whole number."""
        return _plain(self._items.capacity)

    @property
    def sizes(self) -> list[float]:
        """The sizes as they were given: ints, or floats where they are no whole numbers."""
        return [_plain(size) for size in self._items.sizes]

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self._items.sizes)

    @property
    def whole_sizes(self) -> list[int]:
        """The sizes as the search sees them: whole numbers, the sizes times ``scale``."""
        return list(self._items.whole_sizes)

    @property
    def scale(self) -> int:
        """A power of ten; sizes and capacity times ``scale`` are whole numbers."""
        return self._items.scale

    @property
    def bounds(self) -> Bounds:
        """The lower bounds L1 and L2, and the numbers of bins of first-fit and best-fit decreasing."""
        return self._items.bounds

    def digest(self) -> str:
        written = " ".join(str(number) for number in (self._items.capacity, *self._items.sizes))
        return hashlib.sha256(written.encode()).hexdigest()

    def new_state(self) -> Any:
        types, items, instance = len(self.instance.size), self.items, self.instance
        words = (instance.capacity >> instance.coarse >> 6) + 1 if instance.tight else 1
        cells = min(instance.capacity, MOST_CELLS // items)
        if types > MOST_ROWS or cells < min(instance.capacity, FEWEST_CELLS):
            cells = 0
        rows, wide, kinds, values = (types, 10 * types + 500, items, cells + 1) if cells else (0, 0, 0, 0)
        return zeros(
            kernels.State,
            numbers=kernels.NUMBERS,
            fills=1,
            remaining=types,
            present=-(-types // 64),
            order=items,
            reach=(types + 1, words),
            below=types,
            progress=progress.REGISTERS,
            work=(refilling.ROWS, items + items // 2 + 1),
            worth=(refilling.PRICES, items + 1),
            stream=2,
            total=1,
            inverse=(rows, rows),
            number=(columns.NUMBERS_OF_ROWS, rows),
            line=(columns.LINES, rows),
            pool=(columns.POOLS, wide),
            item=10 * wide,
            value=values,
            taken=(kinds, values),
            kind=kinds,
        )

    def bias_by_code(self) -> np.ndarray | None:
        """Return β = 5 size / capacity of each code; None with a look-ahead, where more is added by move."""
        if self.bias_by_move:
            return None
        bias: np.ndarray = np.tile(np.log(self.instance.size_factor), self.codes // len(self.instance.size))
        return bias

    def hints(self) -> Hints:
        """Recommend ``moves="rare"``, so that improved packings can be built above the bound, too."""
        if "moves" in self.given_options or type(self) is not BinPacking:
            return Hints(tempered=False)
        options = {**self.options, "moves": "rare"}
        shared: Any = self._items
        return Hints(tempered=False, arms=(BinPacking(shared.capacity, shared, **options),))

    def bound(self) -> float:
        """Return a number of bins that no packing can go below: the larger of L1 and L2."""
        return self._items.least_bins

    def solution(self, moves: np.ndarray) -> list[list[float]]:
        state = self.new_state()
        self._run(kernels.pack, state, np.asarray(moves, np.int64))
        sizes = [_plain(Decimal(int(size)) / self.scale) for size in self.instance.size]
        return [[sizes[t] for t in content] for content in _bins(state.order)]

    def _run(self, function: Any, *arguments: Any) -> Any:
        """Run a function of the kernels as machine code."""
        own_kernels, arguments = engine_kernels.kernels_of(kernels.State).values(), (self.instance, *arguments)
        return jit.load(function, kernels.State, own_kernels, arguments)(*arguments)

    def moves_of(self, solution: Any) -> np.ndarray:
        faultless(self, solution)
        types = {int(size): t for t, size in enumerate(self.instance.size)}
        packing = [[types[int(Decimal(str(size)) * self.scale)] for size in content] for content in solution]
        type_of = np.array([t for content in packing for t in content], np.int64)
        bin_of = np.repeat(np.arange(len(packing)), list(map(len, packing)))
        moves, sequence = engine_kernels.allocate_moves(self.max_moves), np.zeros(self.items, np.int64)
        for way in (kernels.IN_ORDER, kernels.LARGEST_FIRST, kernels.WITH_OTHERS):
            steps = self._run(kernels.follow, self.new_state(), moves, sequence, type_of, bin_of, way)
            if steps >= 0:
                return sequence[:steps]
        raise InputError(
            f"binpacking: the search cannot build the packing to start from with {len(packing)} bins: "
            "`moves` restricts it; try rare or all"
        )

    def check(self, solution: Any) -> Verdict:
        verdict = check_packing(self._items.capacity, self._items.sizes, solution)
        if not verdict.figures:
            return verdict
        known = self.bounds
        figures = {**verdict.figures, "lower_bound": known.lower, "bound": known.name, **known._asdict()}
        return Verdict(figures, verdict.faults, verdict.score)

    @classmethod
    def parse_solution(cls, text: str) -> list[list[float]]:
        r"""Return the packing that a plain text holds: a line for each bin.

        >>> BinPacking.parse_solution("7 3\n4, 2.5")
        [[7, 3], [4, 2.5]]
        """
        return [[_plain(_parsed_size(word)) for word in line.words()] for line in located_lines(text.replace(",", " "))]

    def draw(self, solution: Any) -> str:
        """Return a line for each bin: its number, how full it is (as figure and bar), and the sizes that it holds."""
        whole = f"{self.capacity:g}" if isinstance(self.capacity, float) else str(self.capacity)
        digits = len(str(len(solution)))
        return "\n".join(
            f"{number:{digits}}  {f'{round(sum(content), 9):.15g}':>{len(whole)}}/{whole} "
            f"{_bar(self.capacity, content)}  {' '.join(map(str, content))}"
            for number, content in enumerate(solution, 1)
        )

    def sketch(self, solution: Any) -> str:
        """Return the drawing of a packing; of many bins the first 40."""
        drawn = self.draw(solution).splitlines()
        more = len(drawn) - SKETCHED
        return "\n".join(drawn if more <= 0 else [*drawn[:SKETCHED], f"... and {more} more bins"])

    def _build(self) -> Any:
        sizes, capacity = self._items.whole_sizes, self._items.whole_capacity
        by_opener = self.code_rule == "opener"
        ascending, count = np.unique(np.array(sizes, np.int64), return_counts=True)
        size = ascending[::-1].copy()
        shift = _shift(capacity, ROOM_TABLE)
        coarse = _shift(capacity, REACH_BITS)
        listed = len(size) * len(sizes)
        looked_at = listed * (capacity >> coarse >> 6) if self.moves != "all" else 0
        near = listed > MOST_LISTED or looked_at > MOST_LOOKED_AT
        waste_shift = _shift(capacity, WASTE_TABLE)
        last_room = ((np.arange((capacity >> shift) + 1, dtype=np.int64) + 1) << shift) - 1
        waste = np.arange((capacity >> waste_shift) + 1, dtype=np.int64) << waste_shift
        return kernels.Instance(
            size=size,
            copies=count[::-1].astype(np.int64),
            first=np.searchsorted(-size, -last_room).astype(np.int64),
            shift=shift,
            capacity=capacity,
            items=len(sizes),
            slack=self._items.least_bins * capacity - sum(sizes),
            tight=self.moves != "all" and not near,
            near=near,
            rarely=self.moves == "rare",
            coarse=coarse,
            rounding=(capacity // int(size[-1])) * ((1 << coarse) - 1),
            by_opener=by_opener,
            key_shift=_shift(len(size) - 1 if by_opener else capacity, max(2, MOST_CODES // len(size))),
            size_factor=np.exp(SIZE_BIAS * size / capacity),
            waste_factor=np.exp(-WASTE_BIAS * waste / capacity),
            waste_shift=waste_shift,
        )


def _shift(capacity: int, values: int) -> int:
    """Return by how many bits to shift the numbers up to ``capacity`` so that at most ``values`` are left."""
    return max(0, (capacity // values).bit_length())


def _plain(number: Decimal) -> float:
    return int(number) if number == number.to_integral_value() else float(number)


def _parsed_size(word: Located) -> Decimal:
    size = decimal_of(word)
    return word.expected("a size") if size is None else size


def _bar(capacity: float, content: Sequence[float]) -> str:
    """Return ``WIDTH`` characters, the items in turn in two shades, dots for the room that is left."""
    edges = [round(WIDTH * float(fill) / float(capacity)) for fill in accumulate(content, initial=0)]
    bar = "".join(SHADES[k % 2] * (end - begin) for k, (begin, end) in enumerate(pairwise(edges)))
    return bar.ljust(WIDTH, "·")


def _bins(order: np.ndarray) -> list[list[int]]:
    """Return the types in each bin, the last one open, as ``State.order`` has them."""
    bins: list[list[int]] = []
    for t in order.tolist():
        if t < 0:
            bins.append([])
        bins[-1].append(t if t >= 0 else ~t)
    return bins
