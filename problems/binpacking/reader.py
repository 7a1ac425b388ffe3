"""Reading bin packing files: OR-Library's, with many instances in one, and BPPLIB's."""

import difflib
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, NoReturn

from nrpa.base.errors import InputError
from nrpa.base.values import decimal_of, shortened, whole_of
from nrpa.problems.common import fail, filled_lines

EXPECTED = "expected a number from 1e-30 to 1e30 of at most 28 digits 0 to 9"


class ParsedBinPacking(NamedTuple):
    """An instance as a file has it; ``best`` is the number of bins that the file calls best, if it does."""

    capacity: Decimal
    sizes: list[Decimal]
    best: int | None


class Word(NamedTuple):
    """A word of a file, and the line that it stands on, from 1."""

    line: int
    text: str


def parse_binpacking(text: str, label: str, member: str = "") -> ParsedBinPacking:
    """Parse a bin packing file of either form, told apart by content; ``#`` starts a comment.

    OR-Library: the number of instances, then for each its name, "capacity items best", and the sizes. BPPLIB: the
    number of items, the capacity, the sizes.
    """
    words = [Word(line, word) for line, content in filled_lines(text) for word in content.split()]
    if not words:
        raise InputError(f"{label}: is empty; expected a bin packing instance")
    reader = _Reader(words, label)
    if len(words) > 1 and not _is_number(words[1].text):
        return _select(_parse_or_library(reader), member, label)
    if member:
        raise InputError(f"{label}: holds a single instance without a name; expected no ':{member}'")
    count = reader.take_count("the number of items")
    capacity = reader.take_capacity()
    sizes = reader.take_sizes(count, capacity)
    reader.expect_end(f"{count} sizes")
    return ParsedBinPacking(capacity, sizes, None)


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
            size = self._decimal(word, f"item {k} has size")
            if size <= 0:
                self.fail(word.line, f"item {k} has size {word.text}; expected a size above 0")
            if size > capacity:
                self.fail(word.line, f"item {k} has size {word.text}, larger than the capacity {capacity:f}")
            sizes.append(size)
        return sizes

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


def _select(found: dict[str, ParsedBinPacking], member: str, label: str) -> ParsedBinPacking:
    names = list(found)
    if member in found:
        return found[member]
    if member:
        close = difflib.get_close_matches(member, names, n=3) or [names[0], names[-1]]
        raise InputError(f"{label}: holds no instance {member!r}; did you mean {' or '.join(close)}?")
    if len(names) > 1:
        raise InputError(
            f"{label}: holds {len(names)} instances ({names[0]} to {names[-1]}); name one, as in {label}:{names[0]}"
        )
    return found[names[0]]


def _is_number(text: str) -> bool:
    """Return whether a word is meant as a number, although it may be none that can be used."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
