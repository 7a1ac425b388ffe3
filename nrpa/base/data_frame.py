"""Tables of pandas, which is no dependency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nrpa.base.errors import NotInstalledError
from nrpa.base.lazy import lazy

pandas = lazy("pandas")


def data_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns as a ``pandas.DataFrame``. Raises NotInstalledError if pandas is not installed."""
    try:
        return pandas.DataFrame(dict(columns))
    except ModuleNotFoundError:
        raise NotInstalledError("a DataFrame needs pandas, which is not installed; pip install pandas") from None
