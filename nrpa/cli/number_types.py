"""Numbers at the command line: in the digits 0 to 9, where click would take those of any script."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.numerals import number_of, whole_of
from nrpa.base.values import shortened

MOST_DIGITS = 300
NOT_FINITE = ("inf", "infinity", "nan")


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number of at most 300 digits."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Raises click.UsageError for anything else."""
        found = value if isinstance(value, int) else whole_of(value.strip(), MOST_DIGITS)
        if found is None:
            self.fail(f"{shortened(value)!r} is not a valid integer.", param, ctx)
        return found


class Number(click.ParamType):  # type: ignore[type-arg]
    """A number, infinity and NaN among them: what does not take these says so itself."""

    name = "float"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. Raises click.UsageError for anything else."""
        if isinstance(value, (int, float)):
            return float(value)
        text = value.strip()
        found = float(text) if text.isascii() and text.lower().lstrip("+-") in NOT_FINITE else number_of(text)
        if found is None:
            self.fail(f"{shortened(value)!r} is not a valid float.", param, ctx)
        return found


WHOLE, NUMBER = Whole(), Number()


def type_of(default: Any) -> Any:
    """Return the type of an option by its default value; None where click finds it out."""
    if isinstance(default, bool):
        return None
    return WHOLE if isinstance(default, int) else NUMBER if isinstance(default, float) else None
