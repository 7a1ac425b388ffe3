"""The names of the Eterna100 targets."""

from __future__ import annotations

from nrpa.io.source import bundled

LISTS = {"turner1999": "eterna-v1-", "turner2004": "eterna-v2-"}


def eterna_name(name: str, parameters: str) -> str:
    """Return the bundled name of a target of the Eterna100 lists.

    >>> eterna_name("Simple Hairpin", "turner2004")
    'eterna-v2-1'
    >>> eterna_name("no title", "turner2004")
    'no title'
    """
    prefix = LISTS.get(parameters, "")
    for row in bundled("rna").values():
        if row.title == name and row.name.startswith(prefix):
            return row.name
    return name
