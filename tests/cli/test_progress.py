import math
import time
from threading import Event
from types import SimpleNamespace

import pytest

import nrpa
from nrpa.cli.progress import Live
from nrpa.search.display import ImprovementRows
from nrpa.search.result import comparison, gap_text
from nrpa.search.stop import Progress


def run_at(problem, seconds, playouts, score, workers=1, found_by=0, chosen=None):
    return SimpleNamespace(
        progress=Progress(seconds, playouts, score, seconds, playouts),
        value=problem.objective.value(score),
        workers=workers,
        found_by=found_by,
        full_at=0,
        clock="wall",
        chosen=chosen,
    )


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc204.1")


@pytest.mark.parametrize("display", [ImprovementRows, Live])
def test_improvements_become_rows(problem, display, capsys):
    """The last improvement is always shown, with its value and gap."""
    with display(problem) as shown:
        shown.message("hello")
        for seconds, score in ((0.1, -13000390.25), (0.2, -900.0), (0.3, -887.4264)):
            shown.improvement(run_at(problem, seconds, 1000, score))
        shown.slice(run_at(problem, 0.4, 1200, -887.4264))
    err = capsys.readouterr().err
    assert "hello" in err
    assert "887.43" in err
    assert "1.00 %" in err
    assert "900.00" not in err, "only the last of a quarter of a second"


@pytest.mark.parametrize("display", [ImprovementRows, Live])
def test_a_full_tree_is_said_once(problem, display, capsys):
    """With its nodes, when no leaves are added any more."""
    with display(problem) as shown:
        run = run_at(problem, 0.1, 1000, -900.0)
        shown.slice(run)
        run.full_at = 4096
        shown.slice(run)
        shown.slice(run)
    assert capsys.readouterr().err.count("the tree is full at 4,096 nodes (--nodes)") == 1


def test_a_search_says_that_its_tree_is_full():
    """Where few nodes are allowed; a search without a tree has nothing to say."""
    board = nrpa.SameGame([[0, 1, 0, 1, 2, 0], [1, 0, 2, 0, 1, 2], [0, 1, 1, 2, 0, 1], [2, 0, 2, 1, 0, 2]])
    for solver, full in ((nrpa.UCT(nodes=40), 40), (nrpa.UCT(), 0), (nrpa.RandomSampling(), 0)):
        with nrpa.debug():
            run = nrpa.start(board, solver, seed=1)
            run.advance(playouts=300)
        assert run.full_at == full


@pytest.mark.parametrize("display", [ImprovementRows, Live])
def test_what_was_chosen_is_said_last(problem, display, capsys):
    """As it is then; a run that chose nothing says nothing."""
    for chosen, said in ((None, 0), ("auto: gnrpa 60 %", 1)):
        with display(problem) as shown:
            shown.slice(run_at(problem, 0.1, 1000, -900.0, chosen="auto: gnrpa 50 %"))
            shown.improvement(run_at(problem, 0.1, 1000, -900.0))
            shown.slice(run_at(problem, 0.2, 2000, -900.0, chosen=chosen))
        *_, last = capsys.readouterr().err.strip().splitlines()
        assert last.count("auto: gnrpa 60 %") == said


def test_rows_say_which_worker_found_it(problem, capsys):
    """Counted from 1; only where there are several."""
    with ImprovementRows(problem) as shown:
        shown.improvement(run_at(problem, 0.1, 1000, -900.0, workers=3, found_by=1))
    assert "worker 2" in capsys.readouterr().err
    with ImprovementRows(problem) as shown:
        shown.improvement(run_at(problem, 0.1, 1000, -900.0))
    assert "worker" not in capsys.readouterr().err


@pytest.mark.parametrize("workers", [2, 20])
def test_the_live_lines_show_workers_their_rates_and_who_found_what(problem, workers):
    """A line a worker; those of many are summed up."""
    with Live(problem) as shown:
        for found_by, score in ((1, -900.0), (1, -890.0), (workers - 1, -887.0)):
            shown.improvement(run_at(problem, 0.25, 1000, score, workers, found_by))
        run = run_at(problem, 0.5, 2000, -887.0, workers)
        run.rates = [1000.0 * (1 + worker) for worker in range(workers)]
        lines = [" ".join(line.split()) for line in shown._workers(run)]
    assert lines[0] == "worker 1 1,000 playouts/s none found"
    if workers == 2:
        assert lines[1:] == ["worker 2 2,000 playouts/s 3 found, last 887.00 at 0.25 s"]
    else:
        assert lines[1] == "worker 2 2,000 playouts/s 2 found, last 890.00 at 0.25 s"
        assert lines[16:] == ["4 more 74,000 playouts/s 1 found"]


def test_what_compiles_is_counted_in_seconds(problem):
    """Until it is done, below what is kept up to date; then that alone is there again."""
    done = Event()
    with Live(problem) as shown:
        shown._below = "0.5 s  1,000 playouts/s"
        shown.compiling(done)
        wait_until(lambda: shown._below.startswith("0.5 s  1,000 playouts/s\ncompiling for "))
        done.set()
        wait_until(lambda: shown._below == "0.5 s  1,000 playouts/s")


def wait_until(holds):
    limit = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_gap(problem):
    """In per cent of the best-known value, never a negative zero, and empty where nothing is known."""
    assert gap_text(problem, -878.64) == "0.00 %"
    assert gap_text(problem, -878.6399) == "0.00 %"
    assert gap_text(problem, -math.inf) == "> 1000 %"
    assert gap_text(nrpa.TSPTW([[0, 1], [1, 0]], [[0, 9]] * 2), -2.0) == ""
    assert comparison(problem, -878.64) == "878.64 (proven optimal); gap 0.00 %"


@pytest.mark.parametrize("workers", [1, 2])
def test_no_column_for_a_gap_that_nobody_knows(workers, capsys):
    """Where the instance has no best known value."""
    unknown = nrpa.TSPTW([[0, 5], [15, 0]], [[0, 100], [10, 50]])
    with ImprovementRows(unknown) as shown:
        shown.improvement(run_at(unknown, 0.1, 1000, -900.0, workers=workers))
    header, row = capsys.readouterr().err.splitlines()
    assert header.split() == ["seconds", "playouts", "cost"]
    assert row.split() == ["0.10", "1,000", "900.00", *["worker", "1"][: 2 * (workers - 1)]]
