"""Run an experiment, several runs at once: every run on disk as soon as it ends, continued where it stopped."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.best import BestFile, best_path
from nrpa.bench.distribute import distribute
from nrpa.bench.experiment import Experiment, Job
from nrpa.bench.machine import machine
from nrpa.bench.records import Key, append, header, playouts_path, read_records, text_of
from nrpa.bench.unit import described_objective
from nrpa.bench.worker import Task, work
from nrpa.io.files import require_kept, require_writable, write_text
from nrpa.io.lock import locked
from nrpa.io.source import file_of
from nrpa.io.text import decoded, read_bytes
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.first_look import require_one_player
from nrpa.registry import problem_class, read_problem
from nrpa.registry.source_files import source_files
from nrpa.search.clock import WALL
from nrpa.search.parcel import packed
from nrpa.search.processes import WorkerProcess
from nrpa.search.run import versions
from nrpa.search.workers import cores


@dataclass(frozen=True)
class Standing:
    """How far an experiment is.

    Attributes
    ----------
    done : int
        Runs done.
    earlier : int
        Those of them that were done before it was continued.
    total : int
        Runs in all.
    running : int
        Runs that are going on.
    seconds : float
        Time since it was started or continued, in seconds.
    left : float or None
        The seconds that it should still take, None while there is no telling.
    """

    done: int
    earlier: int
    total: int
    running: int
    seconds: float
    left: float | None


def run_experiment(
    experiment: Experiment,
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    on_run: Callable[[Standing], object] | None = None,
) -> None:
    """Run what is not yet on disk of an experiment.

    Workers are processes that are started afresh ("spawn"): a script that calls this needs
    ``if __name__ == "__main__":``. A run whose worker is killed is run again.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    out : str or path-like
        The CSV by seconds. Beside it go ``NAME.playouts.csv``, ``NAME.json``, which says what was run and on what
        machine, and ``NAME.best.json``: of each variant on each instance the result of its best run.
    workers : int, optional
        How many runs at once; as many as this process may use cores without it.
    executor : concurrent.futures.Executor, optional
        Where the runs go instead, such as ``nrpa.search.clusters.dask_cluster`` gives one.
    on_run : callable, optional
        Called with a Standing when the first runs have begun, and after each run.

    Raises
    ------
    InputError
        If something given cannot be used, ``out`` holds another experiment, or another process is writing it; if a run
        is lost with its worker three times.
    KeyboardInterrupt
        On Ctrl-C; only the runs in progress are lost.
    """
    most = cores() if workers is None else _checked_workers(workers)
    files = Files(Path(out), experiment)
    files.require_kept([*map(file_of, experiment.instances), *source_files()])
    require_writable(files.seconds)
    with locked(files.seconds):
        _run_what_is_left(experiment, files, most, executor, on_run)


def _run_what_is_left(
    experiment: Experiment,
    files: Files,
    most: int,
    executor: Executor | None,
    on_run: Callable[[Standing], object] | None,
) -> None:
    problems = _problems(experiment)
    finished = files.open(_description(experiment, problems))
    jobs = [job for job in experiment.jobs() if job.key not in finished]
    if not jobs:
        return
    best = BestFile(files.best)
    count = min(most, len(jobs))
    started, total, earlier = time.monotonic(), len(finished) + len(jobs), len(finished)

    def begun(running: int) -> None:
        if on_run:
            left = None if experiment.time is None else experiment.time * -(-len(jobs) // count)
            on_run(Standing(earlier, earlier, total, running, 0.0, left))

    def keep(task: Task, answer: Any, running: int) -> None:
        nonlocal finished
        by_seconds, by_playouts, result = answer
        best.take(task.job.key, result)
        files.append(by_seconds, by_playouts)
        finished = finished | {task.job.key}
        if on_run:
            seconds = time.monotonic() - started
            done = len(finished)
            left = seconds / (done - earlier) * (total - done)
            on_run(Standing(done, earlier, total, running, seconds, left))

    tasks = _tasks(experiment, jobs, problems, executor is not None)
    own = [WorkerProcess() for _ in range(count)] if executor is None else []
    try:
        distribute(work, tasks, own if executor is None else [executor] * count, keep, begun, _named)
    finally:
        for process in own:
            process.end()


Problems = dict[tuple[str, str], BaseProblem]


def _problems(experiment: Experiment) -> Problems:
    """Return the problem by instance and variant. Raises InputError for a game, or an instance that cannot be read."""
    cls = problem_class(experiment.problem)
    problems = {
        (instance, variant.name): read_problem(cls, instance, variant.make(cls)[1])
        for instance in experiment.instance_names()
        for variant in experiment.variants
    }
    for problem in problems.values():
        require_one_player(problem)
    return problems


def _tasks(experiment: Experiment, jobs: list[Job], problems: Problems, elsewhere: bool) -> list[Task]:
    """Return what the workers are handed. Raises InputError for a problem that cannot be sent to other machines."""
    parcels: dict[tuple[str, str], bytes | None] = {}
    for key, problem in problems.items():
        try:
            parcels[key] = packed(problem, elsewhere)
        except InputError:
            if elsewhere:
                raise
            parcels[key] = None
    budget = experiment.time, experiment.playouts, experiment.clock
    return [Task(job, experiment.problem, parcels[job.instance, job.variant.name], *budget) for job in jobs]


def _named(task: Task) -> str:
    return f"the run {' '.join(map(str, task.job.key))}"


class Files:
    """The files of an experiment.

    A run counts as finished when its last mark is in the file of the budget's own kind, which is written last.

    Parameters
    ----------
    out : Path
        The CSV by seconds; the others lie beside it.
    experiment : Experiment
        What is run.

    Attributes
    ----------
    seconds, playouts : Path
        The CSVs by seconds and by playouts.
    description : Path
        The JSON that says what is run.
    best : Path
        The JSON of the best solutions.

    Raises
    ------
    InputError
        If ``out`` cannot be the name of a CSV file.
    """

    def __init__(self, out: Path, experiment: Experiment) -> None:
        if out.suffix == ".json":
            raise InputError(f"{out}: expected the name of a CSV file; what was run goes into NAME.json")
        self.seconds, self.playouts, self.description = out, playouts_path(out), out.with_suffix(".json")
        self.best = best_path(self.description)
        self._budget = experiment.budget
        self._main = "seconds" if experiment.time is not None else "playouts"

    def require_kept(self, inputs: Iterable[str | os.PathLike[str]]) -> None:
        """Raise InputError if one of the files is also read.

        Parameters
        ----------
        inputs : iterable of path-like
            What is read.
        """
        paths = (self.seconds, self.playouts, self.description, self.best)
        require_kept({f"--out {self.seconds}: {path.name}": path for path in paths}, inputs)

    def open(self, description: dict[str, Any]) -> frozenset[Key]:
        """Make the files if they are new; else remove what a crash left of runs that are not finished.

        Parameters
        ----------
        description : dict
            What is run, as JSON can hold it.

        Returns
        -------
        frozenset of tuple
            Variant, instance and seed of each run that is finished.

        Raises
        ------
        InputError
            If the files hold another experiment or cannot be written.
        """
        for path in (self.seconds, self.playouts, self.description, self.best):
            require_writable(path)
        if not self.description.exists():
            for path in (self.seconds, self.playouts):
                if path.exists() and path.stat().st_size:
                    raise InputError(f"{path}: exists, but not {self.description}, which says what was run")
        else:
            _require_same(self.description, description)
        write_text(self.description, json.dumps(description, indent=1) + "\n")
        finished = self._finished()
        self._clean(self.playouts, "playouts", finished)
        self._clean(self.seconds, "seconds", finished)
        return finished

    def append(self, by_seconds: Any, by_playouts: Any) -> None:
        """Write the records of one run.

        Parameters
        ----------
        by_seconds, by_playouts : list of Record
            The records.
        """
        steps = [(self.playouts, by_playouts, "playouts"), (self.seconds, by_seconds, "seconds")]
        for path, rows, axis in steps if self._main == "seconds" else reversed(steps):
            append(path, rows, axis)

    def _finished(self) -> frozenset[Key]:
        path = self.seconds if self._main == "seconds" else self.playouts
        if not path.exists() or not path.stat().st_size:
            return frozenset()
        return frozenset(row.run for row in read_records(path).rows if row.mark >= self._budget * (1 - 1e-9))

    def _clean(self, path: Path, axis: str, finished: frozenset[Key]) -> None:
        rows = read_records(path).rows if path.exists() and path.stat().st_size else []
        text = header(axis) + text_of((row for row in rows if row.run in finished), axis)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_text(path, text)


def _description(experiment: Experiment, problems: Problems) -> dict[str, Any]:
    """Return what is run and on what machine."""
    hashes = {instance: problem.sha256 for (instance, _), problem in problems.items()}
    return {
        "experiment": {
            **{key: value for key, value in asdict(experiment).items() if key not in ("variants", "instances")},
            "instances": hashes,
            "variants": {
                variant.name: {"solver": variant.solver, **variant.options} for variant in experiment.variants
            },
        },
        "objective": described_objective(problems.values()),
        "versions": versions(),
        "machine": machine(),
    }


def _require_same(path: Path, now: dict[str, Any]) -> None:
    """Raise InputError unless ``now`` continues the experiment in ``path``: runs, variants, instances may be added."""
    try:
        before = json.loads(decoded(read_bytes(path)))["experiment"]
        kept = {kind: dict(before[kind]) for kind in ("variants", "instances")}
        settings = {key: before[key] for key in ("problem", "time", "playouts")}
        settings["clock"] = before.get("clock", WALL)
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        what = "is not the description of an experiment, which belongs there"
        raise InputError(f"{path}: {what}; choose another --out") from None
    experiment = now["experiment"]
    for key, value in settings.items():
        if experiment[key] != value:
            raise InputError(f"{path}: was made with {key} {value}, not {experiment[key]}; choose another --out")
    for kind, names in kept.items():
        for name, content in names.items():
            if experiment[kind].setdefault(name, content) != content:
                what = "options" if kind == "variants" else "content"
                raise InputError(f"{path}: was made with other {what} of {name}; choose another --out")


def _checked_workers(workers: int) -> int:
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    return workers
