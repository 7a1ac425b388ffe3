"""``nrpa solve --checkpoint`` and ``--resume``."""

import json
import os
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner
from killed import stopped
from user_problems import EXAMPLES

import nrpa
from nrpa.base.errors import InputError
from nrpa.cli.main import commands
from nrpa.registry import problem_class, read_problem

SNAKE = (f"{EXAMPLES / 'snake.py'}:Snake", "6")
FAST = ("--level", "2", "--iterations", "10")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def solve(*arguments):
    """Run ``nrpa solve``; return the result it wrote, standard output and standard error."""
    found = CliRunner().invoke(commands, ["solve", *arguments, "--json", "out.json"])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return nrpa.Result.from_json(Path("out.json").read_text()), found.stdout, found.stderr


def course(result):
    return result.score, result.solution, [point[1:] for point in result.improvements], result.playouts


@pytest.mark.parametrize("problem", [SNAKE, ("tsptw", "rc201.1", "--moves", "all")])
def test_resumed_is_uninterrupted(problem):
    """With the options of the file, and limits that count from the very beginning."""
    whole, *_ = solve(*problem, *FAST, "--seed", "4", "--playouts", "3000")
    solve(*problem, *FAST, "--seed", "4", "--playouts", "1200", "--checkpoint", "run.npz")
    resumed, _, err = solve(*problem[:2], "--resume", "run.npz", "--playouts", "3000", "--checkpoint", "run.npz")
    assert "seed 4, after 1,200 playouts" in err
    assert course(resumed) == course(whole)
    assert (resumed.status, resumed.seed, resumed.options) == (whole.status, 4, whole.options)
    again, *_ = solve(*problem[:2], "--resume", "run.npz", "--playouts", "2000")
    assert course(again) == course(whole)


def test_a_compiled_run_goes_on_compiled():
    """Without --compile, as the checkpoint knows, and in Python; one of the class as it is does not."""
    tour = (f"{EXAMPLES / 'prize_tour.py'}:PrizeTour", str(EXAMPLES / "prize_tour.txt"))
    begin = (*tour, "--solver", "random", "--seed", "4")
    whole, *_ = solve(*begin, "--compile", "--playouts", "900")
    solve(*begin, "--compile", "--playouts", "300", "--checkpoint", "run.npz")
    for more in ((), ("--compile",)):
        resumed, *_ = solve(*tour, *more, "--resume", "run.npz", "--playouts", "900")
        assert course(resumed) == course(whole)
    plain = problem_class(tour[0]).load(tour[1])
    assert nrpa.resume("run.npz", plain).problem.plain is plain
    solve(*begin, "--playouts", "300", "--checkpoint", "run.npz")
    with pytest.raises(InputError, match=r"run.npz: is of the class in plain Python; leave --compile"):
        solve(*tour, "--compile", "--resume", "run.npz", "--playouts", "900")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("tsptw", "rc201.1", "--tau", "1"), "--tau 1.0 contradicts run.npz, a search with 1.4; leave it out"),
        (("tsptw", "rc201.1", "--no-bias"), "--bias off contradicts run.npz, a search with on; leave it out"),
        (("tsptw", "rc201.1", "--moves", "all"), "--moves all contradicts run.npz, a search with selective"),
        (("tsptw", "rc201.1", "--clock", "processor"), "--clock processor contradicts run.npz, a search with wall"),
        (("tsptw", "rc201.1", "--seed", "2"), "--seed 2 contradicts run.npz, a search with 1"),
        (("tsptw", "rc201.1", "--solver", "nmcs"), "--solver nmcs contradicts run.npz, a search with gnrpa"),
        (("tsptw", "rc201.1", "--no-memory"), "--memory/--no-memory does not apply to the solver gnrpa"),
        (("tsptw", "rc202.1"), "run.npz: is a checkpoint of tsptw rc201.1, not of tsptw rc202.1"),
        (("samegame", "samegame-01"), "run.npz: is a checkpoint of tsptw rc201.1, not of samegame"),
        (
            ("tsptw", "rc201.1", "--curve", "run.npz"),
            "--curve would replace run.npz, which is read",
        ),
        (("tsptw", "rc201.1", "--checkpoint", "/dev/null"), "/dev/null: is no regular file; expected one for"),
        (
            ("tsptw", "rc201.1", "--workers", "2"),
            "run.npz: is of 1 worker, and cannot go on with 2",
        ),
    ],
)
def test_what_contradicts_the_file_is_refused(arguments, expected):
    """One sentence; the checkpoint stays as it is."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.GNRPA(level=2, tau=1.4), seed=1)
    run.advance(playouts=10)
    run.save("run.npz")
    before = Path("run.npz").read_bytes()
    with pytest.raises(InputError, match=expected):
        solve(*arguments, "--resume", "run.npz", "--playouts", "20")
    assert Path("run.npz").read_bytes() == before
    agreeing = ("--tau", "1.4", "--bias", "--moves", "selective", "--seed", "1", "--solver", "gnrpa")
    assert solve("tsptw", "rc201.1", *agreeing, "--resume", "run.npz", "--playouts", "20")[0].playouts == 20


def test_a_killed_search_goes_on():
    """SIGKILL leaves a result of the last second and a whole checkpoint; resumed, it ends as one never stopped."""
    words = ["solve", *SNAKE, *FAST, "--seed", "4", "--playouts", "1000000"]
    files = "kept.json", "run.npz"
    stopped([*words, "--json", files[0], "--checkpoint", files[1]], lambda: all(map(os.path.exists, files)))
    record = json.loads(Path("kept.json").read_text())
    assert record["status"] == "running"
    kept = nrpa.resume("run.npz", read_problem(problem_class(SNAKE[0]), SNAKE[1], {}))
    total = str(max(kept.progress.playouts, record["playouts"]) + 500)
    whole, *_ = solve(*SNAKE, *FAST, "--seed", "4", "--playouts", total)
    resumed, *_ = solve(*SNAKE, "--resume", "run.npz", "--playouts", total)
    assert course(resumed) == course(whole)
    known = [list(point[1:]) for point in whole.improvements]
    assert [[point["playouts"], point["score"]] for point in record["improvements"]] == known[
        : len(record["improvements"])
    ]


def test_ctrl_c_leaves_a_checkpoint():
    """Of exactly the playouts that the printed result has."""
    files = "out.json", "run.npz"
    words = ["solve", *SNAKE, *FAST, "--playouts", "100000000", "--json", files[0], "--checkpoint", files[1]]
    process, out, _ = stopped(words, lambda: all(map(os.path.exists, files)), signal.SIGINT)
    assert process.returncode == 0
    assert "status      interrupted" in out
    result, *_ = solve(*SNAKE, "--resume", "run.npz", "--playouts", "1")
    assert (result.playouts, result.status) == (int(out.split("search")[1].split()[0].replace(",", "")), "playouts")
