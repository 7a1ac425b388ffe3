"""Run an experiment, several runs at once: every run on disk as soon as it ends, continued where it stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.description import ContinuedFiles, described_objective
from nrpa.bench.distribute import Named, RunsProgress, Task, Teller, distribute, work, worker_processes
from nrpa.bench.experiment import Experiment, Job
from nrpa.bench.records import (
    BestFile,
    End,
    Key,
    best_path,
    end_of,
    header,
    playouts_path,
    read_ends,
    read_records,
    record_lines,
    records_of,
    runs_path,
    target_on,
)
from nrpa.io.csv_lines import holds, lines_of, rewrite
from nrpa.io.files import append_text, locked, source_files
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem, require_one_player
from nrpa.registry import problem_class, read_problem
from nrpa.search.curve import WALL
from nrpa.search.executors import packed
from nrpa.search.result import Result
from nrpa.search.workers import cores, number_of_workers
from nrpa.solvers.interface import Solver


def run_experiment(
    experiment: Experiment,
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    on_run: Callable[[RunsProgress], object] | None = None,
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
        machine, and ``NAME.best.json``: of each variant on each instance the result of its best run. Where runs end at
        a target or after some searches, ``NAME.runs.csv`` says how each ended.
    workers : int, optional
        How many runs at once; as many as this process may use cores without it.
    executor : concurrent.futures.Executor, optional
        Where the runs go instead, such as ``nrpa.search.clusters.dask_cluster`` gives one.
    on_run : callable, optional
        Called with a RunsProgress when the first runs have begun, and after each run.

    Raises
    ------
    InputError
        If something given cannot be used, ``out`` holds another experiment, or another process is writing it; if a run
        is lost with its worker three times.
    KeyboardInterrupt
        On Ctrl-C; only the runs in progress are lost.
    """
    most = cores() if workers is None else number_of_workers(workers, elsewhere=executor is not None)
    files = Files(Path(out), experiment)
    files.require_possible([*map(file_of, experiment.instances), *source_files()])
    with locked(files.out):
        problems = _problems(experiment)
        finished = files.open(_description(experiment, problems))
        jobs = [job for job in experiment.jobs() if job.key not in finished]
        if not jobs:
            return
        best, count = BestFile(files.best), min(most, len(jobs))
        each = None if experiment.time is None else experiment.time / count
        teller = Teller(on_run, len(finished), len(finished) + len(jobs), each)

        def keep(task: Task, answer: Any, running: int) -> None:
            best.take(task.key, answer)
            files.append(task.key, answer)
            teller.count(running)

        tasks = _tasks(experiment, jobs, problems, executor is not None)
        with worker_processes(count if executor is None else 0) as own:
            executors: Sequence[Executor] = own if executor is None else [executor] * count
            distribute(
                work, tasks, executors, keep, teller.tell, lambda task: f"the run {' '.join(map(str, task.key))}"
            )


Problems = dict[tuple[str, str], BaseProblem]
"""The problem by instance and variant."""


def _problems(experiment: Experiment) -> Problems:
    cls = problem_class(experiment.problem)
    problems = {
        (instance, variant.name): read_problem(cls, instance, variant.make(cls)[1])
        for instance in experiment.instance_names()
        for variant in experiment.variants
    }
    for problem in problems.values():
        require_one_player(problem)
        target_on(problem, experiment.target)
    return problems


def _tasks(experiment: Experiment, jobs: list[Job], problems: Problems, elsewhere: bool) -> list[Task]:
    """Return what the workers are handed. Raises InputError for a problem that cannot be sent to other machines."""
    limits = {name: getattr(experiment, name) for name in ("time", "playouts", "searches", "clock")}

    @cache
    def shared(instance: str, name: str) -> tuple[bytes | Named, Solver, float | list[float] | None]:
        problem = problems[instance, name]
        variant = next(each for each in experiment.variants if each.name == name)
        solver, options = variant.make(type(problem))
        parcel: bytes | Named = (experiment.problem, instance, tuple(sorted(options.items())))
        try:
            parcel = packed(problem, elsewhere=elsewhere)
        except InputError:
            if elsewhere:
                raise
        return parcel, solver, target_on(problem, experiment.target)

    found = ((job, *shared(job.instance, job.variant.name)) for job in jobs)
    return [Task(job.key, parcel, solver, job.seed, {**limits, "target": end}) for job, parcel, solver, end in found]


class Files(ContinuedFiles):
    """The files of an experiment; a run is finished when its last mark is in the one of the budget's kind."""

    def __init__(self, out: Path, experiment: Experiment) -> None:
        super().__init__(out)
        self.playouts, self.best = playouts_path(out), best_path(self.description)
        self.ends = runs_path(out) if experiment.ends_early else None
        self.rows = self.out, self.playouts
        self.others = (self.best, *([] if self.ends is None else [self.ends]))
        self._experiment = experiment

    def open(self, description: dict[str, Any]) -> frozenset[Key]:
        """Make the files if they are new; else remove what a crash left of runs that are not finished."""
        self.describe(description)
        path = self.playouts if self._experiment.time is None else self.out
        rows = read_records(path).rows if holds(path) else []
        finished = frozenset(row.run for row in rows if row.mark >= self._experiment.budget * (1 - 1e-9))
        for path, axis in ((self.playouts, "playouts"), (self.out, "seconds")):
            rows = read_records(path).rows if holds(path) else []
            rewrite(path, header(axis) + record_lines((row for row in rows if row.run in finished), axis))
        if self.ends is not None:
            ends = read_ends(self.ends) if holds(self.ends) else []
            rewrite(self.ends, lines_of([End._fields, *(end for end in ends if end.run in finished)]))
        return finished

    def append(self, key: Key, result: Result) -> None:
        """Write the records of one run."""
        time, playouts = self._experiment.time, self._experiment.playouts
        by_seconds, by_playouts = records_of(result, key, time=time, playouts=playouts)
        if self.ends is not None:
            append_text(self.ends, lines_of([end_of(result, key)]))
        steps = [(self.playouts, by_playouts, "playouts"), (self.out, by_seconds, "seconds")]
        for path, rows, axis in reversed(steps) if time is None else steps:
            append_text(path, record_lines(rows, axis))

    def _differing(self, before: dict[str, Any], now: dict[str, Any]) -> str:
        """Return why ``now`` does not continue the experiment, and add to it the variants and instances of before."""
        # Older files do not say: they count seconds on the wall, and have neither a target nor a limit of searches.
        settings = ("problem", "time", "playouts", "clock", "target", "searches")
        differing = super()._differing({"clock": WALL, **before}, {key: now[key] for key in settings})
        for kind, what in (("variants", "options"), ("instances", "content")):
            for name, content in dict(before[kind]).items():
                if now[kind].setdefault(name, content) != content and not differing:
                    differing = f"other {what} of {name}"
        return differing


def _description(experiment: Experiment, problems: Problems) -> dict[str, Any]:
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
    }
