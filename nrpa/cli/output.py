"""What the commands print: the one place where text goes to standard output and standard error.

Standard streams may be closed, full or gone: a search does not end because nobody reads what it says.
Names, labels and figures may come from files of anybody: their control characters are shown, not obeyed.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, TextIO

import click

from nrpa.base.errors import escaped
from nrpa.base.lazy import lazy

files = lazy("nrpa.io.files")
# The options that name a file to write, and the names of standard output.
RECORDS, STANDARD_OUTPUT = ("--json", "--curve", "--out"), ("-", "/dev/stdout")
CLEAR = "\r\x1b[K"
STREAMS = (0, 1, 2)


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a text as one line; a line break within it is escaped as well."""
    click.echo(escaped(text), err=err)  # noqa: TID251


def echo_lines(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    click.echo("\n".join(map(escaped, text.split("\n"))), err=err)  # noqa: TID251


def echo_over(text: str, *, ends: bool = False) -> None:
    """Print a text on standard error in place of the line that the cursor is in; go to the next line if it ``ends``."""
    click.echo(CLEAR + escaped(text), nl=ends, err=True)  # noqa: TID251


def show_warning(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
    """Print a warning on standard error, as ``warnings.showwarning`` does."""
    echo_lines(warnings.formatwarning(message, category, filename, lineno, line).rstrip("\n"), err=True)


def show_exception(*raised: Any) -> None:
    """Print the traceback of an exception, as ``sys.excepthook`` does."""
    if sys.stderr is not None:
        echo_lines("".join(traceback.format_exception(*raised)).rstrip("\n"), err=True)


class LastingFile(io.FileIO):
    """A file that takes what is written to it even when it can no longer be written; ``error`` went wrong first."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.error: OSError | None = None

    def write(self, data: Any, /) -> int:
        """Write ``data``, or what the system takes of it; after an error, nothing, and say that all is written."""
        if self.error is None:
            try:
                return super().write(data)
            except OSError as error:
                self.error = error
        return memoryview(data).nbytes


def make_lasting() -> None:
    """Let standard output and standard error last; open what is closed, so that no file of ours gets their numbers."""
    for descriptor in STREAMS:
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest number that is free is this one.
            os.open(os.devnull, os.O_RDWR)
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)


def is_given(words: Sequence[str], option: str, *values: str) -> bool:
    """Return whether a command line gives an option one of some values."""
    after = [value for word, value in pairwise(words) if word == option]
    return any(value in after or f"{option}={value}" in words for value in values)


@contextmanager
def records_alone(words: Sequence[str], for_good: bool) -> Iterator[None]:
    """Keep standard output for the record, where a command line sends one there: all prints go to standard error.

    So do those of a problem's methods, of workers and of libraries; ``for_good``, also while the process ends.
    """
    if not any(is_given(words, option, *STANDARD_OUTPUT) for option in RECORDS):
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    files.move_standard_output(kept)
    try:
        yield
    finally:
        if not for_good:
            sys.stdout.flush()
            os.dup2(kept, 1)
            files.move_standard_output(1)
            os.close(kept)


def output_error() -> str:
    """Return why standard output could not be written; empty where it could, or its reader has simply left."""
    file = _file(sys.stdout)
    error = file.error if isinstance(file, LastingFile) else None
    if error is None or isinstance(error, BrokenPipeError):
        return ""
    return f"standard output cannot be written ({error.strerror})"


def _file(stream: Any) -> Any:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _lasting(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
        if type(_file(stream)) is io.FileIO:
            stream.flush()
            buffer = io.BufferedWriter(LastingFile(stream.fileno()))
            return io.TextIOWrapper(
                buffer,
                stream.encoding,
                stream.errors,
                line_buffering=stream.line_buffering,
                write_through=stream.write_through,
            )
    return stream
