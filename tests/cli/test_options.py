import json

import click
import pytest

from nrpa.base.errors import LostWorkersError
from nrpa.cli.main import commands
from nrpa.cli.options import NUMBER, WHOLE, type_of
from nrpa.cli.solve import _engaged
from nrpa.search.clusters import Cluster
from nrpa.search.pool import Threads


@pytest.mark.parametrize("text", ["٣", "３", "1_000", "1e3", "", "0x1"])
def test_whole_numbers_are_written_in_the_digits_0_to_9(text):
    """Python's own reader would take the digits of any script, and underscores."""
    with pytest.raises(click.UsageError, match="is not a valid integer"):
        WHOLE.convert(text, None, None)


@pytest.mark.parametrize("text", ["١.٤", "1_0.5", "1,5", "ıNF", "--1"])
def test_numbers_are_written_in_the_digits_0_to_9(text):
    """As whole numbers are."""
    with pytest.raises(click.UsageError, match="is not a valid float"):
        NUMBER.convert(text, None, None)


def test_what_is_a_number():
    """Seeds may be long; whoever cannot use infinity says so."""
    assert (WHOLE.convert(" -7 ", None, None), WHOLE.convert("9" * 40, None, None)) == (-7, int("9" * 40))
    assert (NUMBER.convert("1.5e-3", None, None), NUMBER.convert("-inf", None, None)) == (0.0015, float("-inf"))
    assert [type_of(value) for value in (1, 1.0, True, "x")] == [WHOLE, NUMBER, None, None]


def test_no_option_of_any_command_takes_other_digits():
    """Click's own types of numbers would."""

    def parameters(command, context):
        for name in command.list_commands(context) if isinstance(command, click.Group) else ():
            below = command.get_command(context, name)
            yield from parameters(below, click.Context(below, context, name))
        yield from ((context.command_path, each) for each in command.params)

    found = list(parameters(commands, click.Context(commands, info_name="nrpa")))
    clicks_own = (click.types.IntParamType, click.types.FloatParamType)
    assert len(found) > 1000
    assert [(path, each.name) for path, each in found if isinstance(each.type, clicks_own)] == []


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
