"""The command ``nrpa schema``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.lazy import lazy
from nrpa.io.files import STANDARD_OUTPUT, write_json
from nrpa.registry import problems

schema = lazy("nrpa.adapters.schema")


@click.command("schema")
@click.argument("name", required=False)
def schema_command(name: str | None) -> None:
    """Print the JSON Schema of what is written as JSON.

    NAME is result (of `nrpa solve`), check, choice, list or error; without it, all are in one. It can also be a
    problem: its instances are text, and the schema says in which forms.
    """
    if name is None:
        found: dict[str, Any] = {"$defs": {key: make() for key, make in schema.SCHEMAS.items()}}
    elif name in schema.SCHEMAS:
        found = schema.SCHEMAS[name]()
    else:
        forms = problems.load(name, also=f", or of {', '.join(schema.SCHEMAS)}").forms
        found = {**schema.TEXT, "description": f"An instance: {'; '.join(forms)}"} if forms else {"type": "null"}
    write_json(STANDARD_OUTPUT, {"$schema": schema.DIALECT, **found})
