"""JSON Schema (2020-12) of what is written as JSON, derived from types: dataclasses, named tuples, options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from nrpa.base.options import Terms
from nrpa.base.values import LARGEST_WHOLE

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of a type: one that JSON has, lists and dicts of it, unions, dataclasses and named tuples.

    >>> schema_of(list[int] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(part) for part in parts]}
    if origin in (list, tuple, Sequence):
        return {"type": "array", "items": schema_of(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(parts[1])}
    return object_schema(kind)


def object_schema(
    kind: Any, *, without: Sequence[str] = (), more: dict[str, Any] | None = None, optional: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the schema of an object with the fields of a class but those ``without``, and ``more`` properties.

    All are required but the ``optional`` ones. What the fields mean comes from the docstring.
    """
    names = [each.name for each in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    hints, meanings = get_type_hints(kind), _meanings(kind)
    properties = {
        name: {**schema_of(hints[name]), **({"description": meanings[name]} if name in meanings else {})}
        for name in names
        if name not in without
    }
    properties |= more or {}
    return {
        "type": "object",
        "description": inspect.cleandoc(kind.__doc__ or "").partition("\n")[0],
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def option_schema(terms: Terms) -> dict[str, Any]:
    """Return the schema of the values of an option of a solver or a problem.

    >>> option_schema(Terms(4, "The depth of nesting", most=20, none="auto"))
    {'description': 'The depth of nesting', 'default': 4, 'type': ['integer', 'null'], 'minimum': 1, 'maximum': 20}
    """
    kind: Any = PLAIN[type(terms.default)]
    schema: dict[str, Any] = {"description": terms.meaning, "default": terms.default}
    schema["type"] = [kind, "null"] if terms.none else kind
    if terms.choices:
        schema["enum"] = [*terms.choices]
    if kind == "integer":
        schema["minimum"] = 1 if terms.least is None else int(terms.least)
    elif kind == "number" and terms.least != float("-inf"):
        schema |= {"exclusiveMinimum": 0} if terms.least is None else {"minimum": terms.least}
    if kind in ("integer", "number") and terms.most not in (None, LARGEST_WHOLE):
        schema["maximum"] = terms.most
    return schema


def _meanings(kind: Any) -> dict[str, str]:
    """Return what the sections Attributes and Parameters of a docstring say of each name, in one line."""
    entries = re.findall(r"^(\w[\w, ]*) : .*\n((?:    .*\n?|\n)+)", inspect.cleandoc(kind.__doc__ or ""), re.MULTILINE)
    return {name: " ".join(text.split()) for names, text in entries for name in names.split(", ")}
