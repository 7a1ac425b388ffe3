"""Measure one search, or one peer, in this process: ``one.py JSON``, where the JSON is a Task.

What is known is printed at once, as a line of JSON, so that what a process that is killed has found is not lost.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from growing import NRPA  # noqa: E402
from peers import PEERS  # noqa: E402
from values import NEARLY, VALUES  # noqa: E402

import nrpa  # noqa: E402
from nrpa.registry import problem_class, read_problem  # noqa: E402
from nrpa.search.clusters import dask_cluster  # noqa: E402
from nrpa.search.curve import CLOCKS  # noqa: E402

DASK = "nrpa, Dask"
SEED = 1
WARM_SECONDS = 0.3
PRESSED_AFTER, LONG = 0.5, 60.0
MOST_FILE = 2**31


class Task(NamedTuple):
    """What is measured: an instance, who searches, for how many seconds of which clock, with how many workers, in MB.

    An instance is a problem, a file and options. The search of a small one before loads the machine code.
    """

    problem: str
    instance: tuple[str, str, dict[str, str]]
    small: tuple[str, str, dict[str, str]]
    by: str
    seconds: float
    clock: str
    workers: int
    memory: float


def told(**figures: Any) -> None:
    """Print what is known, with the peak of the memory."""
    print(json.dumps({"memory": peak(), **figures}), flush=True)


def peak() -> float:
    """Return the most memory so far, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # what the system's own count begins with is the peak of the process that started this one
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read(problem: str, path: str, options: dict[str, str]) -> Any:
    """Return the problem of an instance."""
    return read_problem(problem_class(problem), path, options)


@contextmanager
def executor(task: Task) -> Iterator[Any]:
    """Yield where the workers run: Dask's processes, or None."""
    if task.by != DASK:
        yield None
        return
    with dask_cluster("local", task.workers) as cluster:
        yield cluster.executor


def search(task: Task) -> None:
    """Search, and tell how long what took."""
    now = CLOCKS[task.clock]
    nrpa.solve(read(*task.small), seed=SEED, time=WARM_SECONDS)
    told(before=peak())
    begun = now()
    problem = read(*task.instance)
    told(read=now() - begun)
    with executor(task) as places:
        begun = now()
        run = nrpa.start(problem, seed=SEED, clock=task.clock, workers=task.workers, executor=places)
        told(setup=now() - begun)
        marks = [(0.0, 0)]

        def marked(run: nrpa.Run) -> None:
            marks.append((run.progress.seconds, run.progress.playouts))
            if len(marks) == 2:
                told(first=now() - begun, first_value=run.value)

        begun, wall = now(), time.perf_counter()
        run.advance(time=task.seconds, on_slice=marked)
        result = run.result()
        took, wall = now() - begun, time.perf_counter() - wall
        steps = np.diff(marks, axis=0)
        made = steps[steps[:, 1] > 0]
        told(
            took=took,
            wall=wall,
            playout=float(np.median(made[:, 0] / made[:, 1])),
            longest=float(steps[:, 0].max()),
            playouts=result.playouts,
            value=float(result.value),
            valid=is_valid(task, result),
            bound=problem.bound(),
            vehicles=result.figures.get("vehicles"),
            status=result.status,
        )
        if result.status == "time":
            told(interrupted=late_by(run))
        memory, begun = peak(), time.perf_counter()
        with TemporaryDirectory() as there:
            run.save(Path(there) / "run.npz")
            size = (Path(there) / "run.npz").stat().st_size / 2**20
            told(memory=memory, saving=time.perf_counter() - begun, file=size, memory_saving=peak())
        run.close()


def late_by(run: nrpa.Run) -> float | None:
    """Return how many seconds after Ctrl-C a search ends; None where it ended before."""
    interrupt = Timer(PRESSED_AFTER, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.perf_counter()
    interrupt.start()
    status = run.advance(time=LONG)
    interrupt.cancel()
    return time.perf_counter() - begun - PRESSED_AFTER if status == "interrupted" else None


def is_valid(task: Task, result: nrpa.Result) -> str:
    """Return "yes" if the problem finds no fault, and the drawn file alone gives the same value; else why not."""
    if result.faults:
        return f"no: {result.faults[0]}"
    if task.problem not in VALUES:
        return "yes"
    try:
        found = VALUES[task.problem](Path(task.instance[1]), result.solution)
    except ValueError as fault:
        return f"no: {fault}"
    near = NEARLY * max(1.0, abs(found))
    return "yes" if abs(found - result.value) <= near else f"no: {found} by the file, {result.value} by the problem"


def peer(task: Task) -> None:
    """Let a peer find an answer, and tell what it is worth by the drawn file."""
    path = Path(task.instance[1])
    begun, wall = time.process_time(), time.perf_counter()
    answer = PEERS[task.problem].find(path, task.seconds)
    took, wall = time.process_time() - begun, time.perf_counter() - wall
    told(took=took, wall=wall)
    if answer is not None:
        vehicles = len(answer) if task.problem == "vrptw" else None
        told(value=VALUES[task.problem](path, answer), valid="yes", vehicles=vehicles)


def main() -> None:
    """Measure what the first argument says; an error in what is given is told in its sentence."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for programs in the background
    task = Task(*json.loads(sys.argv[1]))
    most = int(task.memory * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    try:
        (search if task.by in (NRPA, DASK) else peer)(task)
    except nrpa.InputError as error:
        told(outcome=str(error))
    except MemoryError:
        told(outcome="out of memory")


if __name__ == "__main__":
    main()
