"""The lines of a text and their words, which know where they stand."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import NoReturn, TypeVar

import numpy as np

from nrpa.base.errors import InputError, one_line
from nrpa.base.values import number_of, shortened, whole_of
from nrpa.io.source import Source
from nrpa.problems.common import whole_text

logger = logging.getLogger("nrpa")

T = TypeVar("T")

LARGEST = 1e100
"""So that no sum of costs is infinite."""


class Located(str):
    """A line of a text or a word of it, with the number of the line, from 1, and how errors name the text."""

    __slots__ = ("label", "line")
    label: str
    line: int

    def __new__(cls, text: str, label: str, line: int) -> Located:
        located = super().__new__(cls, text)
        located.label, located.line = label, line
        return located

    @property
    def where(self) -> str:
        """The text and the line; the line alone of a text without a name."""
        return f"{self.label}:{self.line}" if self.label else f"line {self.line}"

    def at(self, text: str) -> Located:
        """Return another text that stands on the same line."""
        return Located(text, self.label, self.line)

    def words(self) -> list[Located]:
        """Return the words, between blanks."""
        return [self.at(word) for word in self.split()]

    def fail(self, message: str) -> NoReturn:
        """Raise InputError about it."""
        raise InputError(f"{self.where}: {message}")

    def expected(self, what: str, before: str = "") -> NoReturn:
        """Raise InputError that something else was expected; ``before`` begins the message."""
        self.fail(f"{before}expected {what}, found {shortened(self)!r}")

    def fail_form(self, forms: Sequence[str]) -> NoReturn:
        """Raise InputError about a text that is in none of the forms of files that a problem reads."""
        self.fail(f"is in none of the forms that are read ({'; '.join(forms)}); found {shortened(self)!r}")

    def warn(self, message: str) -> None:
        """Say what is odd about it, although it is read all the same."""
        logger.warning(one_line(f"{self.where}: {message}"))

    def whole(self, least: int, most: int, what: str, before: str = "") -> int:
        """Return the text as a whole number of the range. Raises InputError, which expects ``what``, if it is none."""
        number = whole_within(self, least, most)
        return self.expected(what, before) if number is None else number

    def number(self) -> float:
        """Return the number that it is; InputError if it is none of at most 1e100."""
        value = number_of(self)
        if value is None:
            self.expected("a finite number in digits 0 to 9" if _is_a_float(self) else "a number")
        return value if abs(value) <= LARGEST else self.expected(f"a number of at most {LARGEST:g}")


def _is_a_float(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def split_lines(text: str) -> list[str]:
    """Return the lines as editors count them: not even a form feed, at which ``splitlines`` splits, ends one."""
    return re.split(r"\r\n|\r|\n", text.removesuffix("\n"))


def located_lines(text: str, label: str = "") -> list[Located]:
    r"""Return the lines that hold something; ``#`` starts a comment.

    >>> [(line, line.where) for line in located_lines("# a board\n\n a b  # its only row\n", "file")]
    [('a b', 'file:3')]
    """
    lines = [Located(line.split("#", 1)[0].strip(), label, k) for k, line in enumerate(split_lines(text), 1)]
    return [line for line in lines if line]


def words_of(source: Source) -> list[Located]:
    """Return the words of a text; InputError if there are none."""
    words = [word for line in located_lines(whole_text(source), source.label) for word in line.words()]
    if not words:
        raise InputError(f"{source.label}: is empty; expected numbers")
    return words


@contextmanager
def faults_of_words(words: Sequence[Located], values: Sequence[object]) -> Iterator[None]:
    """Let what an InputError says begin with the line of the first value that is there twice, or of the last word."""
    try:
        yield
    except InputError as error:
        twice = (word for k, word in enumerate(words) if values[k] in values[:k])
        next(twice, words[-1]).fail(str(error))


def rows_of_numbers(text: str) -> list[list[int]]:
    r"""Return the whole numbers of each line, between blanks or commas, perhaps in brackets.

    >>> rows_of_numbers("0 3 4\n[1, 5]\n")
    [[0, 3, 4], [1, 5]]
    """
    lines = [line.at(re.sub(r"[\[\](),;]", " ", line)) for line in located_lines(text)]
    return [[word.whole(-(10**17), 10**17, "whole numbers") for word in line.words()] for line in lines]


def numbers_of(lines: Sequence[Located]) -> np.ndarray:
    """Return the numbers between blanks in some lines; InputError about the first word that is none."""
    return np.concatenate([np.zeros(0), *map(_numbers_of_line, lines)])


def nth_word(lines: Sequence[Located], k: int) -> Located:
    """Return word number ``k``, from 0, of some lines."""
    for line in lines:
        count = len(line.split())
        if k < count:
            return line.words()[k]
        k -= count
    raise IndexError(k)


def _numbers_of_line(line: Located) -> np.ndarray:
    """Return the numbers of a line; a word at a time only where they may not be what ``Located.number`` takes."""
    if re.fullmatch(r"[-+.0-9eE\s]*", line):
        with suppress(ValueError):
            values = np.array(line.split(), np.float64)
            if (np.abs(values) <= LARGEST).all():
                return values
    return np.array([word.number() for word in line.words()])


def refuse_gaps(text: str, lines: Sequence[Located], message: str) -> None:
    """Raise InputError about the first of some lines of a text that follows another after a blank line."""
    whole = split_lines(text)
    for one, other in pairwise(lines):
        if not all(line.strip() for line in whole[one.line : other.line - 1]):
            other.fail(message)


def whole_within(text: str, least: int, most: int) -> int | None:
    """Return the whole number that a text is; None for anything else, and for one that is too small or too large."""
    number = whole_of(text)
    return number if number is not None and least <= number <= most else None


def read_only_line(source: Source, read: Callable[[str], T | None], what: str) -> T:
    """Return what ``read`` makes of the only line of a text; InputError if that is None, or there are more lines."""
    lines = located_lines(whole_text(source), source.label) or [Located("", source.label, 1)]
    found = read(lines[0]) if len(lines) == 1 else None
    return lines[:2][-1].expected(f"only {what}") if found is None else found
