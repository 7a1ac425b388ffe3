"""The description of an experiment or a match, which no other output may replace."""

from __future__ import annotations

import json
from pathlib import Path

from nrpa.base.errors import InputError
from nrpa.io.files import is_file
from nrpa.io.text import decoded, read_bytes


def require_no_description(option: str, path: str) -> None:
    """Raise InputError for a file without which what `nrpa bench` or `nrpa match` recorded could not be continued."""
    if Path(path).suffix != ".json" or not is_file(path):
        return
    try:
        found = json.loads(decoded(read_bytes(path)))
    except (ValueError, InputError, RecursionError):
        return
    for what in ("experiment", "match"):
        if isinstance(found, dict) and isinstance(found.get(what), dict) and "solution" not in found:
            raise InputError(f"{option} {path}: describes the {what} recorded beside it; choose another file")
