"""Text that is read: from a file or standard input, with or without a byte-order mark."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nrpa.base.errors import InputError
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
