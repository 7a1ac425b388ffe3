"""Where the work goes: what the command line says of it, and of workers that are lost."""

import json

from nrpa.base.errors import LostWorkersError
from nrpa.cli.solve import _engaged
from nrpa.search.clusters import Cluster
from nrpa.search.threads import Threads

SEARCH = ("solve", "tsptw", "rc201.1", "--level", 1, "--seed", 1)


def test_what_was_found_is_printed_when_workers_are_lost(nrpa_command, monkeypatch, tmp_path):
    """And written; then comes the sentence, with exit 2. Where nothing was found, there is the sentence alone."""
    run, left = Threads.run, [2]

    def lost(self, slices):
        left[0] -= 1
        if left[0] < 0:
            raise LostWorkersError("the same slice of worker 1 was lost 5 times (KilledWorker: gone)")
        return run(self, slices)

    monkeypatch.setattr(Threads, "run", lost)
    search = (*SEARCH, "--playouts", 100_000_000, "--workers", 2)
    code, out, err = nrpa_command(*search, "--json", "out.json", "-q")
    assert (code, err) == (2, "error: the same slice of worker 1 was lost 5 times (KilledWorker: gone)\n")
    assert "status      interrupted" in out
    assert json.loads((tmp_path / "out.json").read_text())["status"] == "interrupted"
    code, out, err = nrpa_command(*search, "-q")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_where_workers_are_is_said(nrpa_command):
    """On a cluster who searches and how many could; else how many of the cores, if not all."""
    cluster = Cluster(None, 8, "Dask at local")
    assert _engaged(1, cluster) == "1 worker on Dask at local, which runs 8 at once"
    assert _engaged(9, cluster) == "9 workers on Dask at local, which runs 8 at once"
    assert _engaged(10_000, None) == ""


def test_bad_addresses_and_numbers(nrpa_command):
    """One sentence each, exit 2."""
    for options, message in {
        ("--dask", "nowhere"): "nowhere: is no address of a scheduler of Dask",
        ("--dask", ""): "is no address of a scheduler of Dask",
        ("--workers", "0", "--dask", "local"): "workers must be a whole number of at least 1",
        ("--workers", 10**6): "workers must be at most",
        ("--workers", 10**6, "--dask", "local"): "workers must be at most",
        ("--workers", 10**6, "--dask", "tcp://127.0.0.1:1"): "workers must be at most 10000",
        ("--workers", 3, "--searches", 2): "2 searches cannot be shared by 3 workers",
    }.items():
        code, out, err = nrpa_command(*SEARCH, *options)
        assert (code, out) == (2, "")
        assert message in err
        assert "Traceback" not in err
