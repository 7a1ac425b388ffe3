"""The names of the Eterna100 targets."""

from __future__ import annotations

from nrpa.io.source import bundled

LISTS = {"turner1999": "eterna-v1-", "turner2004": "eterna-v2-"}


def eterna_name(name: str, parameters: str) -> str:
    """Return the bundled name of a target of the Eterna100 lists.

    Parameters
    ----------
    name : str
        The title of a target, or any other name of an instance.
    parameters : {"turner1999", "turner2004"}
        The parameter set: titles mean those of list V1 under Turner 1999, of list V2 under Turner 2004.

    Returns
    -------
    str
        The bundled name; ``name`` itself where it is no title.

    Examples
    --------
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
