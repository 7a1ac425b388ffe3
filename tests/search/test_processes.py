"""Worker processes of this machine."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from multiprocessing.context import SpawnProcess

import pytest
import walk
from walk import Deadly, Walk, die_in_the_midst_of_an_answer

import nrpa
from nrpa.base.errors import LostWorkersError
from nrpa.search.processes import WorkerProcess


def wait_until(is_so):
    while not is_so():
        time.sleep(0.001)


def test_a_killed_process_costs_its_call_and_another_begins():
    """The call has an error; the next one runs in a new process."""
    with WorkerProcess() as process:
        first = process.submit(os.getpid).result()
        lost = process.submit(os.kill, first, signal.SIGKILL)
        assert isinstance(lost.exception(), BrokenExecutor)
        assert process.submit(os.getpid).result() != first


def test_a_process_that_dies_in_the_midst_of_its_answer_costs_its_call():
    """Nobody waits for the rest of the answer."""
    with WorkerProcess() as process:
        lost = process.submit(die_in_the_midst_of_an_answer)
        assert isinstance(lost.exception(timeout=60), BrokenExecutor)
        assert process.submit(abs, -3).result(timeout=60) == 3


def test_a_process_that_dies_while_it_has_nothing_to_do_costs_nothing():
    """The next call runs in a new one."""
    with WorkerProcess() as process:
        first = process.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        assert process.submit(os.getpid).result() != first


def test_what_cannot_be_sent_is_the_exception_of_its_call():
    """Neither the call nor the answer; the process lives on."""
    with WorkerProcess() as process:
        first = process.submit(os.getpid).result()
        for call in (process.submit(lambda: 1), process.submit(threading.Lock), process.submit(int, "x")):
            assert isinstance(
                call.exception(), (AttributeError, pickle.PicklingError, RuntimeError, TypeError, ValueError)
            )
        assert process.submit(os.getpid).result() == first


def test_what_waits_is_cancelled_at_the_end():
    """The call under way is lost."""
    process = WorkerProcess()
    process.submit(os.getpid).result()
    lost, waiting = process.submit(signal.pause), process.submit(os.getpid)
    wait_until(lost.running)
    process.end()
    assert isinstance(lost.exception(), BrokenExecutor)
    assert waiting.cancelled()
    assert process.submit(abs, -3).result() == 3
    process.shutdown()


def test_a_process_that_nobody_ends_ends_with_the_program():
    """As it does where the program is interrupted while it starts its workers."""
    script = (
        "import signal\nfrom nrpa.search.processes import WorkerProcess\n"
        "if __name__ == '__main__':\n"
        "    process = WorkerProcess()\n    process.submit(abs, 1).result()\n    process.submit(signal.pause)\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (0, "")


SEARCH = """
import multiprocessing
import nrpa
from walk import Walk

def search():
    return nrpa.solve(Walk(), nrpa.NRPA(level=1), seed=1, playouts=20, workers=2).playouts
"""
DAEMON = """
if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=search, daemon=True)
    child.start()
    child.join()
    raise SystemExit(child.exitcode)
"""
ENDS = """
if __name__ != "__main__":
    raise SystemExit(5)
search()
"""


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("search()", "no worker process can be started: a script needs if __name__ == '__main__': before what it does"),
        (ENDS, "no worker process can be started: it ended with exit code 5 while it read the script"),
        (DAEMON, "a daemon process cannot start worker processes; start it without daemon=True"),
    ],
    ids=["no-guard", "ends", "daemon"],
)
def test_workers_that_cannot_start_are_one_sentence(tmp_path, script, sentence):
    """It says what to do; nothing is tried again, and the processes that are not to be say nothing."""
    (tmp_path / "script.py").write_text(f"{SEARCH}\nprint('read', flush=True)\n{script}")
    found = run_script(["script.py"], tmp_path)
    assert (found.returncode, found.stderr.count("Traceback")) == (1, 1)
    assert found.stderr.rstrip().endswith("or search with one worker")
    assert f"LostWorkersError: {sentence}" in found.stderr
    assert found.stdout.count("read") <= 3


def test_a_process_that_the_system_refuses_is_one_sentence(monkeypatch):
    """It is not tried again."""
    tries = []

    def refused(self):
        tries.append(self)
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "start", refused)
    with pytest.raises(LostWorkersError, match=r"^no worker process can be started \(.*unavailable\); expected fewer"):
        nrpa.solve(Walk(), nrpa.NRPA(level=1), seed=1, playouts=20, workers=2)
    assert len(tries) <= 2


def test_a_program_of_standard_input_has_no_workers(tmp_path):
    """The sentence says so before any is started."""
    found = run_script(["-"], tmp_path, input=f"{SEARCH}\nsearch()")
    assert (found.returncode, found.stderr.count("Traceback")) == (1, 1)
    what = "worker processes cannot read the program again (<stdin>); expected a script in a file"
    assert f"LostWorkersError: {what}, or search with one worker\n" in found.stderr


def test_runs_in_processes_that_cannot_start_are_one_sentence(tmp_path):
    """As those of an experiment: none is tried again."""
    script = "import nrpa\nfrom nrpa.bench import Experiment, Variant, run_experiment\n"
    script += "given = Experiment('tsptw', ('rc201.1',), (Variant('A', 'random'),), 2, playouts=5)\n"
    script += "run_experiment(given, 'a.csv', workers=2)"
    found = run_script(["-"], tmp_path, input=script)
    assert found.returncode == 1
    assert "LostWorkersError: worker processes cannot read the program again (<stdin>)" in found.stderr
    assert "run again" not in found.stderr


def run_script(arguments, folder, **more):
    where = os.pathsep.join([os.path.dirname(os.path.abspath(walk.__file__)), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": where},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        **more,
    )


def test_end_does_not_wait():
    """Whatever the process is doing."""
    process = WorkerProcess()
    process.submit(os.getpid).result()
    lost = process.submit(signal.pause)
    wait_until(lost.running)
    process.end()
    assert isinstance(lost.exception(), BrokenExecutor)


def test_interrupts_are_left_to_the_parent():
    """Ctrl-C, SIGTERM and SIGHUP do not end it."""
    with WorkerProcess() as process:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process.submit(signal.raise_signal, number).result()


def test_a_search_survives_its_worker_processes():
    """Both are killed in the middle; the result is that of a search whose processes live."""
    solver, limits = nrpa.GNRPA(level=2, iterations=8), {"seed": 3, "workers": 2, "playouts": 20_000}
    killed = []

    def kill(run):
        if not killed:
            killed.extend(process.submit(os.getpid).result() for process in run._search._pool._own)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    found = nrpa.solve(Walk(), solver, **limits, on_slice=kill)
    expected = nrpa.solve(Walk(), solver, **limits)
    assert len(set(killed)) == 2
    assert (found.score, found.solution, found.playouts) == (expected.score, expected.solution, 20_000)
    assert [point[1:] for point in found.improvements] == [point[1:] for point in expected.improvements]


def test_a_slice_that_is_lost_again_and_again_ends_the_search():
    """One sentence that says how it was lost, not a search that never ends."""
    with pytest.raises(LostWorkersError, match=r"slice of worker [12] was lost 5 times \(Broken\w+.*NRPA_DEBUG=1"):
        nrpa.solve(Deadly(), nrpa.RandomSampling(), seed=1, playouts=20, workers=2)
