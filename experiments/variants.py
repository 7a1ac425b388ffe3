"""Descriptions of experiments on several problems: a file in TOML, whose variants may have options for one problem."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Variant


def read_toml(path: Path, keys: Iterable[str]) -> dict[str, Any]:
    """Return the content of the file. Raises InputError where it cannot be read or lacks a key."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{path}: is not TOML ({error})") from None
    require_keys(f"{path}:", content, keys)
    return content


def require_keys(where: str, content: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Raise InputError where a key is missing."""
    for key in keys:
        if key not in content:
            raise InputError(f"{where} has no key {key!r}")


def of_problem(name: str, given: Mapping[str, Any], problem: str) -> Variant:
    """Return a variant as it is for one problem: ``PROBLEM.option``, or a table of its name, counts there only."""
    options: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            options.update(value if key == problem else {})
        elif "." not in key:
            options[key] = value
        elif key.partition(".")[0] == problem:
            options[key.partition(".")[2]] = value
    return Variant.from_options(name, options)
