"""Records of experiments, as commands read them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from nrpa.bench.records import Records, join

SCORE = "score (as in the CSV: costs are negative)"


def read_joined(files: Sequence[str]) -> Records:
    """Return the records of several files as one, and say so if a last line was cut short.

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
    return records
