"""Records of experiments, as commands read them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from nrpa.bench.description import description_path
from nrpa.bench.records import Records, join

VALUE = "value (in the problem's own terms, as a cost; a score where the problem is not known)"


def read_joined(files: Sequence[str]) -> Records:
    """Return the records of several files as one.

    It is said on standard error if a last line was cut short, or if figures are scores as the problem is not known.

    Parameters
    ----------
    files : sequence of str
        The files.

    Returns
    -------
    Records
        The rows of all files.

    Raises
    ------
    InputError
        If a file is no such CSV, or the files do not fit together (see ``nrpa.bench.records.join``).
    """
    records = join(files)
    if records.cut:
        click.echo("note: a last line that was cut short is left out", err=True)
    if records.objective is None:
        beside = description_path(files[0]).name
        why = "the files are of several objectives" if len(files) > 1 else f"there is no {beside} that says of what"
        click.echo(f"note: figures are scores, as in the CSV, where costs are negative: {why}", err=True)
    return records
