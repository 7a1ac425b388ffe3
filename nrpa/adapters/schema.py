"""JSON Schema (2020-12), derived from the classes of what is written."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from nrpa.base.lazy import lazy
from nrpa.cli.faults import CODES
from nrpa.cli.list import JSON_TYPES, Listed

check, choosing, results = map(lazy, ("nrpa.cli.check", "nrpa.games.choice", "nrpa.search.result"))
DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT = {"type": "string"}


def schema_of(kind: Any, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the schema of a type: one that JSON has, lists and dicts of it, unions, dataclasses and named tuples.

    The fields ``without`` which these are written are left out, and those that have no default are required. What they
    mean comes from the docstring.

    >>> schema_of(list[int] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in JSON_TYPES:
        return {"type": JSON_TYPES[kind]}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(part) for part in parts]}
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": schema_of(parts[0], without)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    text = inspect.cleandoc(kind.__doc__ or "")
    entries = re.findall(r"^(\w[\w, ]*) : .*\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    meanings = {name: " ".join(words.split()) for names, words in entries for name in names.split(", ")}
    # A tree is never written; its class is known to type checkers only.
    hints, properties, required = get_type_hints(kind, localns={"TreeNode": Any}), {}, []
    for name, field in inspect.signature(kind).parameters.items():
        if name in without:
            continue
        properties[name] = schema_of(hints[name], without)
        if name in meanings:
            properties[name]["description"] = meanings[name]
        if field.default is field.empty:
            required.append(name)
    return {"type": "object", "description": text.partition("\n")[0], "properties": properties, "required": required}


def _result() -> dict[str, Any]:
    found = schema_of(results.Result)
    found["properties"]["valid"] = schema_of(bool | None)
    return found


def _list() -> dict[str, Any]:
    entries = schema_of(list[Listed])
    return _object({"problems": entries, "solvers": entries})


def _error() -> dict[str, Any]:
    return _object({"error": _object({"code": {"enum": [*CODES]}, "message": TEXT, "remedy": TEXT})})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "result": _result,
    "check": lambda: schema_of(check.Checked),
    "choice": lambda: schema_of(choosing.Choice, ("number", "own_move", "tree")),
    "list": _list,
    "error": _error,
}
