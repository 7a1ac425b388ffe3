"""Tables of pandas, for those who have it: nrpa does not need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy

pandas = lazy("pandas")


def data_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns as a ``pandas.DataFrame``.

    Parameters
    ----------
    columns : mapping of str to sequence
        The columns by name, equally long.

    Returns
    -------
    pandas.DataFrame
        The table.

    Raises
    ------
    InputError
        If pandas is not installed.
    """
    try:
        return pandas.DataFrame(dict(columns))
    except ModuleNotFoundError:
        raise InputError("a DataFrame needs pandas, which is not installed: pip install pandas") from None
