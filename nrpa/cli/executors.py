"""The options ``--dask`` and ``--mpi``: where the work goes instead of this machine's own processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy

clusters = lazy("nrpa.search.clusters")


def executor_options() -> list[click.Parameter]:
    """Return the options. The value of ``--mpi`` is a Cluster, or None without it."""
    return [
        click.Option(
            ["--dask"],
            metavar="ADDRESS|local",
            help="Work on a Dask cluster, as tcp://10.0.0.1:8786, or on a local one (needs nrpa[dask]).",
        ),
        click.Option(
            ["--mpi"],
            is_flag=True,
            is_eager=True,
            callback=_mpi,
            help="Work on the processes of mpiexec -n N nrpa ... (needs nrpa[mpi]).",
        ),
    ]


def is_elsewhere(dask: str | None, mpi: Any) -> bool:
    """Return whether the work goes to other cores than those of this machine."""
    return mpi is not None or (dask is not None and dask != clusters.LOCAL)


@contextmanager
def cluster_of(dask: str | None, mpi: Any, processes: int) -> Iterator[Any]:
    """Return the cluster that was asked for. Raises InputError if it cannot be had, or both were asked for."""
    if dask is not None and mpi is not None:
        raise InputError("--dask and --mpi exclude each other")
    if dask is None:
        yield mpi
        return
    with clusters.dask_cluster(dask, processes) as cluster:
        yield cluster


def _mpi(context: click.Context, option: click.Parameter, given: bool) -> Any:
    """Return the Cluster in the first process; let the others work, and end them, before anything else is looked at."""
    if not given or context.resilient_parsing:
        return None
    cluster = context.with_resource(clusters.mpi_cluster())
    if cluster is None:
        context.exit(0)
    return cluster
