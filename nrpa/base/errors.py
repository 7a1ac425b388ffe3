"""Errors whose message is one sentence for the person at the terminal."""

from __future__ import annotations

import difflib
import os
import sysconfig
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

LONGEST = 800
_LIBRARIES = (*map(sysconfig.get_path, ("stdlib", "purelib", "platlib")), os.path.dirname(os.path.dirname(__file__)))


class InputError(ValueError):
    """Input that cannot be used; the message names the file, the line and what was expected.

    Parameters
    ----------
    message : str
        The message. What it quotes of the input may be anything: see ``one_line``.

    Attributes
    ----------
    code : str
        What kind of error it is, for programs: the same in all versions.
    """

    code: ClassVar[str] = "bad-input"

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


@contextmanager
def faults_of(*where: str) -> Iterator[None]:
    """Let what an InputError of no other kind says begin with where the fault is, if it does not name that already."""
    try:
        yield
    except InputError as error:
        if type(error) is not InputError or str(error).startswith(where):
            raise
        raise InputError(f"{where[0]}: {error}") from None


def place_of(error: BaseException) -> str:
    """Return the file and the line of the last call in the traceback of an error, libraries aside; empty for none."""
    own = [
        f"{frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if not is_of_library(frame.filename)
    ]
    return own[-1] if own else ""


def is_of_library(file: str) -> bool:
    """Return whether a file of a traceback is of Python, an installed package, or none at all."""
    return file.startswith(("<", *(f"{folder}{os.sep}" for folder in _LIBRARIES)))


def one_line(text: str) -> str:
    r"""Return a text as one line that a terminal can show: control characters by their escapes, long ones cut.

    >>> print(one_line("found 'a\nb'"))
    found 'a\nb'
    >>> len(one_line("x" * 10_000))
    800
    """
    return _without_middle(escaped(_without_middle(text)))


def did_you_mean(name: str, known: Iterable[str], most: int = 2) -> str:
    """Return the question whether one of the known names is meant that are near, at most so many; empty for none.

    >>> did_you_mean("GNRPA", ["gnrpa", "nrpa"])
    'did you mean gnrpa?'
    """
    by_small = {each.casefold(): each for each in known}
    small = name.casefold()
    close = [small] if small in by_small else difflib.get_close_matches(small, by_small, n=most)
    return f"did you mean {' or '.join(by_small[each] for each in close)}?" if close else ""


def escaped(text: str) -> str:
    r"""Return a text as one line, its control characters, and whatever a terminal does not show, by their escapes.

    >>> print(escaped("a\x1b[2Jb\n"))
    a\x1b[2Jb\n
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def _without_middle(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST * 3 // 4]} … {text[3 - LONGEST // 4 :]}"


class UnknownNameError(InputError):
    """A name of a problem, a solver, an instance or an option that there is not."""

    code = "unknown-name"


class NotInstalledError(InputError):
    """An optional package that is not installed; the message says how to install it."""

    code = "not-installed"


class ProblemError(InputError):
    """A problem that breaks what the engine relies on; the message names the class and the method."""

    code = "bad-problem"


class DisagreementError(ProblemError, RuntimeError):
    """A search and the problem's independent check that find different scores of the same solution."""


class LostWorkersError(InputError):
    """Workers that are lost again and again; the search can go on where it was."""

    code = "limit"


CRASH_HINT = "if kernels of yours end the process, NRPA_DEBUG=1 says where"
