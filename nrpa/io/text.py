"""Text that is read, with or without a byte-order mark, and text in columns."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError, escaped
from nrpa.base.values import path_shown

STANDARD_INPUT = "-"
BYTE_ORDER_MARK = "\ufeff"


def read_bytes(name: str | os.PathLike[str]) -> bytes:
    """Return what a file holds. Raises InputError if it cannot be read; the message names it."""
    try:
        if name != STANDARD_INPUT:
            return Path(name).read_bytes()
        if sys.stdin is None:
            raise InputError("standard input is closed; expected input there")
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"{path_shown(name)}: cannot be read ({error.strerror})") from None


def decoded(data: bytes) -> str:
    r"""Return UTF-8 as text, without the byte-order mark that some programs write before it.

    Raises UnicodeDecodeError if it is not UTF-8.

    >>> decoded(b"\xef\xbb\xbfa")
    'a'
    """
    return data.decode("utf-8").removeprefix(BYTE_ORDER_MARK)


def read_json(name: str | os.PathLike[str]) -> Any:
    """Return what a file holds as JSON. Raises InputError if it cannot be read, or is anything else."""
    try:
        return json.loads(decoded(read_bytes(name)))
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path_shown(name)}: is not JSON ({error})") from None


def aligned(lines: Sequence[Sequence[str]], left: Container[int] = ()) -> str:
    """Return cells as text in columns, aligned to the right, but for those of the numbers in ``left``.

    >>> print(aligned([["move", "visits"], ["c3", "120"]], left=(0,)))
    move  visits
    c3       120
    """
    lines = [list(map(escaped, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(f"{text:{'<' if k in left else '>'}{widths[k]}}" for k, text in enumerate(line)) for line in lines
    )
