import gc
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from user_problems import Digits

import nrpa
from nrpa.cli.main import commands

ROOT = Path(__file__).parent.parent.parent
FAKE = str(ROOT / "tests" / "answering.py")
SOLVER = nrpa.NRPA(level=2, iterations=10)


def fake(*words, **options):
    return nrpa.Program([sys.executable, "-I", "-S", FAKE, *map(str, words)], **options)


def running(problem):
    return problem._threads.running._process


def is_alive(pid):
    """Return whether there is such a process, and it is no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(*pids):
    """Return whether these processes end in time."""
    end = time.monotonic() + 20
    while time.monotonic() < end and any(map(is_alive, pids)):
        time.sleep(0.02)
    return not any(map(is_alive, pids))


@pytest.mark.parametrize("fault", ["", "tells", "pieces", "noisy"])
@pytest.mark.parametrize("solver", [SOLVER, nrpa.UCT(), nrpa.Auto()], ids=lambda solver: solver.name)
def test_it_is_searched_as_the_same_in_python(fault, solver):
    """Also where answers say more, come in pieces, or much is written to standard error."""
    found, plain = (nrpa.solve(each, solver, seed=3, playouts=40) for each in (fake(fault), Digits()))
    assert (found.solution, found.score) == (plain.solution, plain.score)
    assert found.figures["sum"] == sum(digit for _, digit in found.solution)


@pytest.mark.parametrize("fault", ["extras", "improves"])
def test_what_it_offers_is_asked(fault):
    problem = fake(fault)
    state = problem.play(problem.initial_state(), ("digit", 2))
    has = {"extras": fault == "extras", "improves": fault == "improves"}
    assert problem.code(state, ("digit", 3)) == ((1, 3) if has["extras"] else ("digit", 3))
    assert problem.bias(state, ("digit", 3)) == (0.75 if has["extras"] else 0.0)
    assert problem.describe(state) == ({"digits": [2]} if has["extras"] else {})
    assert (problem.bias_by_move, problem.can_improve) == (has["extras"], has["improves"])
    assert problem.max_steps == 10
    if has["extras"]:
        assert nrpa.check_problem(problem, games=2).summary() == "Program: kept in 2 games of 6 steps in all"
    best = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=60)
    assert best.value <= 9
    assert best.valid


def test_it_values_whole_games(monkeypatch):
    """Tempering asks once for each, and lets the best be played."""
    problem = fake("evaluates")
    assert nrpa.check_problem(problem, games=2).summary() == "Program: kept in 2 games of 6 steps in all"
    asked, ask = [], nrpa.Program._answer
    monkeypatch.setattr(nrpa.Program, "_answer", lambda *given, **more: asked.append(given[1]) or ask(*given, **more))
    found = nrpa.solve(problem, nrpa.Tempering(), seed=1, playouts=60)
    assert (found.solution, found.value) == ([3, 3, 3], 9)
    assert asked.count("evaluate") > asked.count("play")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("nonsense", "play gave 'hello'; expected {"),
        ("two", "expected one line that answers 'play', found more than one line"),
        ("huge", "found a line of more than 64 MiB"),
        ("nan", "other output on standard error (it holds NaN)"),
        ("infinite", "play gave inf; expected JSON without infinite numbers"),
        ("number", "play gave '3'; expected {"),
        ("both", "expected {"),
        ("deep", 'play gave \'{"result": [[['),
        ("bytes", "play gave '��'; expected {"),
        ("error", "play: no such machine"),
        ("hangs", "found no answer within 1 s, the timeout; it said 'thinking'"),
        (
            "dies",
            "asked 'play' 3 times, the program ended with exit status 3; it said \"Traceback / File x / KeyError: 'm",
        ),
        ("killed", "asked 'play' 3 times, the program ended with signal 9"),
        ("closes", "asked 'play' 3 times, the program closed its standard input or output"),
    ],
)
def test_no_answer_is_a_sentence(fault, said):
    """One that names the command, within the limit; no process is left."""
    problem = fake(fault, timeout=60.0)
    state, process = problem.initial_state(), running(problem)
    if fault == "hangs":
        problem.timeout = 1.0
    with pytest.raises(nrpa.ProblemError, match=re.escape(said)) as error:
        problem.play(state, ("digit", 1))
    assert str(error.value).startswith(sys.executable)
    assert "\n" not in str(error.value)
    assert fault in ("nonsense", "nan", "infinite", "number", "both", "deep", "bytes", "error") or gone(process.pid)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["about"], "calls has no option 'coeds'; did you mean codes?"),
        (["key"], "the answer to 'problem' has no option 'call'; did you mean calls?"),
        (["list"], "problem gave []; expected an object"),
        (["choices"], "choices must be a whole number of at least 1, not 0"),
        (["early"], "Simulator 1.0"),
    ],
)
def test_what_it_says_of_itself(words, said):
    with pytest.raises(nrpa.ProblemError, match=re.escape(said)):
        fake(*words)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/no/such/program 3", "/no/such/program: cannot be started (No such file or directory)"),
        ("'", 'the command "\'" cannot be read (No closing quotation)'),
        ("", "a command is a text or texts"),
        ([], "a command is a text or texts"),
        ([3], "a command is a text or texts"),
        (3, "the command 3 cannot be read"),
        (["a\0b"], "cannot be started (embedded null byte)"),
    ],
)
def test_no_command(command, said):
    with pytest.raises(nrpa.InputError, match=re.escape(said)):
        nrpa.Program(command)


def test_what_it_has_told_is_not_asked():
    problem = fake("tells")
    state = problem.play(problem.initial_state(), ("digit", 2))
    problem._threads.running.end()
    assert (len(problem.legal_moves(state)), problem.score(state)) == (4, 2)
    assert not problem._threads.running.is_usable


def test_one_that_dies_is_started_again(tmp_path, caplog):
    """What it is asked is asked again, and the search finds the same."""
    count = tmp_path / "starts"
    found = nrpa.solve(fake("dies once", count), SOLVER, seed=3, playouts=40)
    assert len(count.read_text()) == 2
    assert "ended with exit status 3" in caplog.text
    assert "it is started again" in caplog.text
    assert found.solution == nrpa.solve(Digits(), SOLVER, seed=3, playouts=40).solution


def test_a_search_ends_though_the_program_does_not_answer():
    """The limit of time holds: the call is given up, and the program killed."""
    problem = fake("", timeout=1000.0)
    run = nrpa.start(problem, SOLVER, seed=1)
    run.advance(playouts=5)
    process = running(problem)
    os.kill(process.pid, signal.SIGSTOP)
    assert run.advance(time=0.2) == "time"
    assert gone(process.pid)
    run.advance(playouts=20)
    assert run.result().playouts >= 25
    whole = nrpa.solve(Digits(), SOLVER, seed=1, playouts=run.result().playouts)
    assert run.result().solution == whole.solution


def test_each_thread_and_each_copy_has_its_own(tmp_path):
    count = tmp_path / "starts"
    problem = fake("", count)
    problem.heed(np.array([True]))
    copied = pickle.loads(pickle.dumps(problem))
    assert len(count.read_text()) == 1
    states = [problem.initial_state(), copied.initial_state()]
    thread = threading.Thread(target=lambda: states.append(problem.initial_state()))
    thread.start()
    thread.join()
    assert len(count.read_text()) == 3
    assert states == ['{"so far": []}'] * 3
    assert (copied.label, copied.digest(), copied.timeout) == (problem.label, problem.digest(), 10.0)
    assert (copied.objective, copied._stop.tolist()) == (problem.objective, [False])


def test_a_fork_asks_a_program_of_its_own():
    """It neither reads the answers to its parent, nor ends its parent's program."""
    problem = fake("")
    pid = running(problem).pid
    child = os.fork()
    if child == 0:
        right = problem.initial_state() == '{"so far": []}' and running(problem).pid != pid
        del problem
        gc.collect()
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert problem.score(problem.play(problem.initial_state(), ("digit", 2))) == 2


def test_it_ends_with_the_problem():
    problem = fake("")
    pid = running(problem).pid
    del problem
    gc.collect()
    assert gone(pid)


@pytest.mark.parametrize("end", ["pass", "os._exit(3)", "os.kill(os.getpid(), 9)", "1 / 0"])
def test_it_ends_with_the_process(end):
    """However that ends, and though it does not read that nobody asks any more."""
    text = (
        "import os, signal, sys, nrpa\n"
        f"problem = nrpa.Program([sys.executable, '-I', '-S', {FAKE!r}])\n"
        "pid = problem._threads.running._process.pid\n"
        "os.kill(pid, signal.SIGSTOP)\n"
        "print(pid, flush=True)\n" + end
    )
    child = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert gone(int(child.stdout))


def test_the_command_line(tmp_path):
    """Solve and check; the target is in terms of the program's objective; workers find the same as threads would."""
    command, file = f"{sys.executable} -I -S {ROOT}/examples/paint_shop.py 7", str(tmp_path / "tour.json")
    words = ["solve", "program", command, "--seed", "1", "--playouts", "300", "--solver", "nrpa", "--level", "2"]
    solved = CliRunner().invoke(commands, [*words, "--timeout", "20", "--target", "9999", "--json", file])
    assert solved.exit_code == 0, solved.output
    assert "status      target" in solved.output
    checked = CliRunner().invoke(commands, ["check", "program", command, file])
    assert checked.output.startswith("valid: lateness "), checked.output
    missing = CliRunner().invoke(commands, ["solve", "program"], standalone_mode=False)
    assert "Expected a command, such as './simulate 20'" in str(missing.exception.format_message())


def test_worker_processes():
    """Each has its own program, which ends with it; the result is that of the same in plain Python."""
    with tempfile.NamedTemporaryFile() as count:
        problem = fake("", count.name)
        results = [nrpa.solve(each, SOLVER, seed=2, playouts=60, workers=2) for each in (problem, Digits())]
        assert results[0].solution == results[1].solution
        assert len(count.read()) >= 3


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_the_program_in_c_of_the_page(tmp_path):
    """It is compiled without a warning, and keeps the contract."""
    source = ROOT / "examples" / "paint_shop.c"
    subprocess.run(["gcc", "-Wall", "-Werror", "-o", tmp_path / "shop", source], check=True)
    problem = nrpa.Program([str(tmp_path / "shop")])
    assert nrpa.check_problem(problem, games=2).faults == []
    assert problem.objective.name == "lateness"
