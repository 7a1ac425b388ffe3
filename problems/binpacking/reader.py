"""Reading bin packing files: OR-Library's, with many instances in one, and BPPLIB's two, of items and of kinds."""

from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import NamedTuple, NoReturn

from nrpa.base.errors import InputError
from nrpa.base.values import decimal_of, shortened, whole_of
from nrpa.io.source import Source
from nrpa.problems.common import fail, fail_form, filled_lines, select, whole_within

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


class Word(NamedTuple):
    """A word of a file, and the line that it stands on, from 1."""

    line: int
    text: str


def parse_binpacking(source: Source) -> ParsedBinPacking:
    """Parse a bin packing file of any form, told apart by content; ``#`` starts a comment.

    OR-Library: the number of instances, then for each its name, "capacity items best", and the sizes. BPPLIB: the
    number of items, the capacity, the sizes. Cutting stock, where the longest line below the capacity holds two
    numbers: the number of kinds of items, the capacity, then a line with the size and the demand of each kind.
    """
    text, label = source.text, source.file or source.label
    words = [Word(line, word) for line, content in filled_lines(text) for word in content.split()]
    if not words:
        raise InputError(f"{label}: is empty; expected a bin packing instance")
    if not _is_number(words[0].text):
        fail_form(label, words[0].line, words[0].text, FORMS)
    reader = _Reader(words, label)
    if len(words) > 1 and not _is_number(words[1].text):
        return select(_parse_or_library(reader), source)
    count = reader.take_count("the number of items")
    capacity = reader.take_capacity()
    rows = reader.rows_below()
    if max(map(len, rows), default=0) == 2:
        sizes = reader.take_kinds(rows, count, capacity)
    else:
        sizes = reader.take_sizes(count, capacity)
        reader.expect_end(f"{count} sizes")
    return select({"": ParsedBinPacking(capacity, sizes, None)}, source)


class _Reader:
    """The words of a file, one after the other."""

    def __init__(self, words: list[Word], label: str) -> None:
        self._words = words
        self._next = 0
        self.label = label

    def take(self, expected: str) -> Word:
        if self._next == len(self._words):
            self.fail(self._words[-1].line, f"ends where {expected} was expected")
        self._next += 1
        return self._words[self._next - 1]

    def take_count(self, expected: str) -> int:
        word = self.take(expected)
        count = whole_of(word.text)
        if count is None or count < 1:
            found = shortened(word.text)
            self.fail(word.line, f"expected {expected}, a whole number of at least 1, found {found!r}")
        return count

    def take_capacity(self) -> Decimal:
        word = self.take("the capacity")
        if not _is_number(word.text):
            self.fail(word.line, f"expected the capacity, found {shortened(word.text)!r}")
        capacity = self._decimal(word, "the capacity is")
        if capacity <= 0:
            self.fail(word.line, f"expected a capacity above 0, found {word.text}")
        return capacity

    def take_sizes(self, count: int, capacity: Decimal) -> list[Decimal]:
        sizes = []
        for k in range(1, count + 1):
            at_end = self._next == len(self._words)
            word = self._words[self._next - at_end]
            if at_end or not _is_number(word.text):
                before = "the end" if at_end else repr(word.text)
                self.fail(word.line, f"expected {count} sizes, found {k - 1} before {before}")
            self._next += 1
            sizes.append(self._size(word, f"item {k}", capacity))
        return sizes

    def rows_below(self) -> list[list[Word]]:
        """Return the words that are left, line by line; none where some are on the line of the last word taken."""
        rows = [list(words) for _, words in groupby(self._words[self._next :], lambda word: word.line)]
        return [] if rows and rows[0][0].line == self._words[self._next - 1].line else rows

    def take_kinds(self, rows: list[list[Word]], count: int, capacity: Decimal) -> list[Decimal]:
        """Return the sizes of so many rows `size demand`, each as often as it is demanded."""
        odd = [row for row in rows if len(row) != 2]
        if odd or len(rows) != count:
            forms = f"{count} lines of two ({KINDS}), or {count} sizes, one a line ({SIZES})"
            found = f"found {len(rows)} lines, of two numbers at most"
            self.fail((odd or rows[-1:])[0][0].line, f"expected {forms}; {found}")
        sizes: list[Decimal] = []
        for k, (size, demand) in enumerate(rows, 1):
            many = whole_within(demand.text, 1, MOST_ITEMS - len(sizes))
            if many is None:
                expected = f"a whole number of at least 1, and of all kinds at most {MOST_ITEMS:,}"
                self.fail(demand.line, f"kind {k} has demand {shortened(demand.text)!r}; expected {expected}")
            sizes += [self._size(size, f"kind {k}", capacity)] * many
        return sizes

    def _size(self, word: Word, what: str, capacity: Decimal) -> Decimal:
        size = self._decimal(word, f"{what} has size")
        if size <= 0:
            self.fail(word.line, f"{what} has size {word.text}; expected a size above 0")
        if size > capacity:
            self.fail(word.line, f"{what} has size {word.text}, larger than the capacity {capacity:f}")
        return size

    def _decimal(self, word: Word, what: str) -> Decimal:
        number = decimal_of(word.text)
        if number is None:
            self.fail(word.line, f"{what} {shortened(word.text)!r}; {EXPECTED}")
        return number

    def expect_end(self, of_what: str) -> None:
        if self._next < len(self._words):
            word = self._words[self._next]
            self.fail(word.line, f"expected the end of the file after {of_what}, found {word.text!r}")

    def fail(self, line: int, message: str) -> NoReturn:
        fail(self.label, line, message)


def _parse_or_library(reader: _Reader) -> dict[str, ParsedBinPacking]:
    count = reader.take_count("the number of instances")
    found: dict[str, ParsedBinPacking] = {}
    for _ in range(count):
        name = reader.take("the name of an instance")
        if name.text in found:
            reader.fail(name.line, f"a second instance is called {name.text!r}")
        capacity = reader.take_capacity()
        items = reader.take_count("the number of items")
        best = reader.take_count("the best known number of bins")
        found[name.text] = ParsedBinPacking(capacity, reader.take_sizes(items, capacity), best)
    reader.expect_end(f"{count} instances")
    return found


def _is_number(text: str) -> bool:
    """Return whether a word is meant as a number, although it may be none that can be used."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
