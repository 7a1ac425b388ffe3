"""Records of experiments, as commands read them."""

from __future__ import annotations

from collections.abc import Sequence

from nrpa.bench.continued import description_path
from nrpa.bench.records import Records, join
from nrpa.cli.output import echo

VALUE = "value (in the problem's own terms, as a cost; a score where the problem is not known)"


def read_joined(files: Sequence[str]) -> Records:
    """Return the records of several files as one; notes on standard error say what they lack."""
    records = join(files)
    if records.cut:
        echo("note: a last line that was cut short is left out", err=True)
    if records.objective is None:
        beside = description_path(files[0]).name
        why = "the files are of several objectives" if len(files) > 1 else f"there is no {beside} that says of what"
        echo(f"note: figures are scores, as in the CSV, where costs are negative: {why}", err=True)
    return records
