"""Dask and MPI: the same result as threads, also when a worker is lost; one sentence where there is no cluster."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest
from mpi import mpiexec
from walk import Walk

import nrpa
from nrpa.search import clusters
from nrpa.search.clusters import DaskExecutor, dask_cluster, mpi_cluster, require_extra

pytest.importorskip("distributed")
EXAMPLES = Path(__file__).parents[2] / "examples"
SOLVER = nrpa.GNRPA(level=2, iterations=8)


@pytest.fixture(scope="module")
def dask():
    """Two worker processes, which the tests of this file share."""
    with dask_cluster("local", 2) as cluster:
        yield cluster


def trace(problem, playouts=600, **others):
    result = nrpa.solve(problem, SOLVER, seed=3, workers=2, playouts=playouts, **others)
    return result.playouts, result.score, result.solution, [point[1:] for point in result.improvements]


def test_dask_gives_what_threads_give(dask):
    """A compiled problem and one in plain Python."""
    assert dask.places == 2
    for problem in (nrpa.TSPTW.load("rc201.1"), Walk()):
        assert trace(problem, executor=dask.executor) == trace(problem)


def test_a_worker_of_dask_that_is_killed_costs_a_slice(dask):
    """The search goes on and ends with the result of threads."""
    problem = nrpa.TSPTW.load("rc201.1")
    killed = []

    def kill(run):
        if not killed:
            killed.extend(dask.executor._client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    found = trace(problem, 400_000, executor=dask.executor, on_slice=kill)
    assert len(killed) == 2
    assert found == trace(problem, 400_000)


def test_work_ends_when_the_scheduler_is_gone(monkeypatch):
    """What was going on gets an error, and no more work is taken."""
    monkeypatch.setattr(clusters, "WATCH_SECONDS", 0.01)
    going_on = Future()
    inner = SimpleNamespace(submit=lambda *arguments: going_on)
    client = SimpleNamespace(status="running", get_executor=lambda pure: inner)
    with DaskExecutor(client) as executor:
        assert executor.submit(pow, 2, 3) is going_on
        client.status = "closed"
        with pytest.raises(ConnectionError, match="the scheduler of Dask is gone"):
            going_on.result(timeout=60)
        with pytest.raises(RuntimeError, match="no connection to the scheduler"):
            executor.submit(pow, 2, 3)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:9", r"no scheduler of Dask answers at tcp://127\.0\.0\.1:9 within 0 seconds; expected its"),
        ("nowhere", "nowhere: is no address of a scheduler of Dask"),
        ("xx://a", "xx://a: is no address of a scheduler of Dask"),
    ],
)
def test_an_address_nobody_answers(monkeypatch, address, message):
    """One sentence, after a time that is given."""
    monkeypatch.setattr(clusters, "DASK_SECONDS", 0.2)
    with pytest.raises(nrpa.InputError, match=message), dask_cluster(address, 2):
        pass


def test_a_local_cluster_that_cannot_be_started(monkeypatch):
    """As one whose workers are killed meanwhile: a sentence with what Dask says first."""

    def killed(**settings):
        raise RuntimeError("Nanny failed to start.\nmore")

    monkeypatch.setattr("distributed.LocalCluster", killed)
    message = r"no local cluster of Dask can be started \(Nanny failed to start.\)"
    with pytest.raises(nrpa.InputError, match=message), dask_cluster("local", 2):
        pass


def test_an_extra_that_is_not_installed():
    """The sentence says what to install."""
    with pytest.raises(nrpa.InputError, match=r"--mpi needs the package no_such_mpi, .*pip install '\.\[mpi\]'"):
        require_extra("no_such_mpi", "mpi", "--mpi")


def nrpa_command(*arguments, processes=0, **how):
    before, environment = [], None
    if processes:
        program, environment = mpiexec()
        before = [program, "-n", str(processes)]
    command = [*before, sys.executable, "-m", "nrpa", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False, **how)


def test_the_command_line_gives_the_same_everywhere(tmp_path):
    """Threads, Dask, and three processes of MPI, of which two work: the same record; a problem of a user's own too."""
    for problem in (("tsptw", "rc201.1"), (f"{EXAMPLES / 'knapsack.py'}:Knapsack", EXAMPLES / "knapsack.txt")):
        search = ("solve", *problem, "--level", 2, "--seed", 3, "--playouts", 600)
        records = []
        for where in (("--workers", 2), ("--dask", "local", "--workers", 2), ("--mpi",)):
            path = tmp_path / "out.json"
            done = nrpa_command(*search, *where, "--json", path, processes=3 if where == ("--mpi",) else 0)
            assert (done.returncode, done.stdout.count("status")) == (0, 1), done.stderr
            record = json.loads(path.read_text())
            improvements = [[found["playouts"], found["score"]] for found in record["improvements"]]
            records.append([record["solution"], record["playouts"], record["workers"], improvements])
        assert records[0] == records[1] == records[2]
        assert records[0][1:3] == [600, 2]


@pytest.mark.parametrize(
    ("arguments", "processes", "message"),
    [
        (("rc201.1", "--mpi"), 1, "--mpi needs at least two processes; expected mpiexec -n 3"),
        (("nowhere", "--mpi"), 2, "nowhere: no such file"),
        (("rc201.1", "--mpi", "--level", "abc"), 2, "'abc' is not"),
        (("rc201.1", "--mpi", "--dask", "local"), 2, "--dask and --mpi exclude each other"),
    ],
)
def test_bad_input_under_mpi_is_one_sentence(arguments, processes, message):
    """Exit 2, said once, and the other processes end."""
    done = nrpa_command("solve", "tsptw", *arguments, processes=processes)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("error:") == 1
    assert "Traceback" not in done.stderr


def test_mpi_of_one_process():
    """From Python as well."""
    pytest.importorskip("mpi4py")
    mpiexec()
    with pytest.raises(nrpa.InputError, match="--mpi needs"), mpi_cluster():
        pass
