"""Reading bin packing files: OR-Library's, with many instances in one, and BPPLIB's two, of items and of kinds."""

from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import NamedTuple

from nrpa.base.errors import InputError
from nrpa.base.values import decimal_of, shortened, whole_of
from nrpa.io.source import Source
from nrpa.problems.common import instance_meant
from nrpa.problems.lines import Located, located_lines, whole_within

EXPECTED = "expected a number from 1e-30 to 1e30 of at most 28 digits 0 to 9"
SIZES = "BPPLIB: the number of items, the capacity, the sizes"
KINDS = "cutting stock: the number of kinds, the capacity, rows `size demand`"
FORMS = (
    SIZES,
    KINDS,
    "OR-Library: how many; of each its name, `capacity items best`, sizes",
    "FILE:NAME takes one instance of an OR-Library file",
)
MOST_ITEMS = 100_000
"""Of a cutting stock instance, where a few characters can be many items."""


class ParsedBinPacking(NamedTuple):
    """An instance as a file has it; ``best`` is the number of bins that the file calls best, if it does."""

    capacity: Decimal
    sizes: list[Decimal]
    best: int | None


def parse_binpacking(source: Source) -> ParsedBinPacking:
    """Parse a bin packing file of any form, told apart by content; ``#`` starts a comment.

    It is cutting stock where the longest line below the capacity holds two numbers.
    """
    text, label = source.text, source.file or source.label
    words = [word for line in located_lines(text, label) for word in line.words()]
    if not words:
        raise InputError(f"{label}: is empty; expected a bin packing instance")
    if not _is_number(words[0]):
        words[0].fail_form(FORMS)
    reader = _Reader(words)
    if len(words) > 1 and not _is_number(words[1]):
        return instance_meant(_parse_or_library(reader), source)
    count = reader.take_count("the number of items")
    capacity = reader.take_capacity()
    rows = reader.rows_below()
    if max(map(len, rows), default=0) == 2:
        sizes = reader.take_kinds(rows, count, capacity)
    else:
        sizes = reader.take_sizes(count, capacity)
        reader.expect_end(f"{count} sizes")
    return instance_meant({"": ParsedBinPacking(capacity, sizes, None)}, source)


class _Reader:
    """The words of a file, one after the other."""

    def __init__(self, words: list[Located]) -> None:
        self._words = words
        self._next = 0

    def take(self, expected: str) -> Located:
        if self._next == len(self._words):
            self._words[-1].fail(f"ends where {expected} was expected")
        self._next += 1
        return self._words[self._next - 1]

    def take_count(self, expected: str) -> int:
        word = self.take(expected)
        count = whole_of(word)
        return count if count and count > 0 else word.expected(f"{expected}, a whole number of at least 1")

    def take_capacity(self) -> Decimal:
        word = self.take("the capacity")
        if not _is_number(word):
            word.expected("the capacity")
        capacity = _number(word, "the capacity is")
        if capacity <= 0:
            word.fail(f"expected a capacity above 0, found {word}")
        return capacity

    def take_sizes(self, count: int, capacity: Decimal) -> list[Decimal]:
        sizes = []
        for k in range(1, count + 1):
            at_end = self._next == len(self._words)
            word = self._words[self._next - at_end]
            if at_end or not _is_number(word):
                word.fail(f"expected {count} sizes, found {k - 1} before {'the end' if at_end else repr(word)}")
            self._next += 1
            sizes.append(_size(word, f"item {k}", capacity))
        return sizes

    def rows_below(self) -> list[list[Located]]:
        """Return the words that are left, line by line; none where some are on the line of the last word taken."""
        rows = [list(words) for _, words in groupby(self._words[self._next :], lambda word: word.line)]
        return [] if rows and rows[0][0].line == self._words[self._next - 1].line else rows

    def take_kinds(self, rows: list[list[Located]], count: int, capacity: Decimal) -> list[Decimal]:
        """Return the sizes of so many rows `size demand`, each as often as it is demanded."""
        odd = [row for row in rows if len(row) != 2]
        if odd or len(rows) != count:
            forms = f"{count} lines of two ({KINDS}), or {count} sizes, one a line ({SIZES})"
            found = f"found {len(rows)} lines, of two numbers at most"
            (odd or rows[-1:])[0][0].fail(f"expected {forms}; {found}")
        sizes: list[Decimal] = []
        for k, (size, demand) in enumerate(rows, 1):
            many = whole_within(demand, 1, MOST_ITEMS - len(sizes))
            if many is None:
                expected = f"a whole number of at least 1, and of all kinds at most {MOST_ITEMS:,}"
                demand.fail(f"kind {k} has demand {shortened(demand)!r}; expected {expected}")
            sizes += [_size(size, f"kind {k}", capacity)] * many
        return sizes

    def expect_end(self, of_what: str) -> None:
        for word in self._words[self._next : self._next + 1]:
            word.expected(f"the end of the file after {of_what}")


def _size(word: Located, what: str, capacity: Decimal) -> Decimal:
    size = _number(word, f"{what} has size")
    if size <= 0:
        word.fail(f"{what} has size {word}; expected a size above 0")
    if size > capacity:
        word.fail(f"{what} has size {word}, larger than the capacity {capacity:f}")
    return size


def _number(word: Located, what: str) -> Decimal:
    number = decimal_of(word)
    if number is None:
        word.fail(f"{what} {shortened(word)!r}; {EXPECTED}")
    return number


def _parse_or_library(reader: _Reader) -> dict[str, ParsedBinPacking]:
    count = reader.take_count("the number of instances")
    found: dict[str, ParsedBinPacking] = {}
    for _ in range(count):
        name = reader.take("the name of an instance")
        if name in found:
            name.fail(f"a second instance is called {name!r}")
        capacity = reader.take_capacity()
        items = reader.take_count("the number of items")
        best = reader.take_count("the best known number of bins")
        found[name] = ParsedBinPacking(capacity, reader.take_sizes(items, capacity), best)
    reader.expect_end(f"{count} instances")
    return found


def _is_number(text: str) -> bool:
    """Return whether a word is meant as a number, although it may be none that can be used."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
