"""Run an experiment: a worker process a core, every run on disk as soon as it ends, continued where it stopped."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Experiment, Job
from nrpa.bench.machine import machine
from nrpa.bench.pool import distribute, number_of_processes
from nrpa.bench.records import Key, append, header, playouts_path, read_records, text_of
from nrpa.bench.worker import run_job
from nrpa.io.files import require_kept, require_writable, write_text
from nrpa.io.lock import locked
from nrpa.io.source import file_of
from nrpa.io.text import decoded, read_bytes
from nrpa.registry import problem_class, read_problem
from nrpa.registry.source_files import source_files
from nrpa.search.run import versions


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
    seconds : float
        Time since it was started or continued, in seconds.
    left : float or None
        The seconds that it should still take, None while there is no telling.
    """

    done: int
    earlier: int
    total: int
    seconds: float
    left: float | None


def run_experiment(
    experiment: Experiment,
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    on_run: Callable[[Standing], object] | None = None,
) -> None:
    """Run what is not yet on disk of an experiment.

    Workers are started afresh ("spawn"): a script that calls this needs ``if __name__ == "__main__":``.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    out : str or path-like
        The CSV by seconds. Beside it go ``NAME.playouts.csv``, and ``NAME.json``, which says what was run and on what
        machine.
    workers : int, optional
        How many processes; as many as this process may use cores without it.
    on_run : callable, optional
        Called with a Standing at the start and after each run.

    Raises
    ------
    InputError
        If something given cannot be used, ``out`` holds another experiment, or another process is writing it.
    KeyboardInterrupt
        On Ctrl-C; only the runs in progress are lost.
    """
    most = number_of_processes(workers)
    files = Files(Path(out), experiment)
    files.require_kept([*map(file_of, experiment.instances), *source_files()])
    require_writable(files.seconds)
    with locked(files.seconds):
        _run_what_is_left(experiment, files, most, on_run)


def _run_what_is_left(
    experiment: Experiment, files: Files, most: int, on_run: Callable[[Standing], object] | None
) -> None:
    finished = files.open(_description(experiment))
    jobs = [job for job in experiment.jobs() if job.key not in finished]
    if not jobs:
        return
    count = min(most, len(jobs))
    started, total, earlier = time.monotonic(), len(finished) + len(jobs), len(finished)

    def keep(job: Job, answer: Any) -> None:
        nonlocal finished
        files.append(*answer)
        finished = finished | {job.key}
        if on_run:
            seconds = time.monotonic() - started
            done = len(finished)
            left = seconds / (done - earlier) * (total - done)
            on_run(Standing(done, earlier, total, seconds, left))

    if on_run:
        left = None if experiment.time is None else experiment.time * -(-len(jobs) // count)
        on_run(Standing(earlier, earlier, total, 0.0, left))
    do = partial(run_job, problem=experiment.problem, time=experiment.time, playouts=experiment.playouts)
    distribute(do, jobs, count, keep, _described)


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

    Raises
    ------
    InputError
        If ``out`` cannot be the name of a CSV file.
    """

    def __init__(self, out: Path, experiment: Experiment) -> None:
        if out.suffix == ".json":
            raise InputError(f"{out}: expected the name of a CSV file; what was run goes into NAME.json")
        self.seconds, self.playouts, self.description = out, playouts_path(out), out.with_suffix(".json")
        self._budget = experiment.budget
        self._main = "seconds" if experiment.time is not None else "playouts"

    def require_kept(self, inputs: Iterable[str | os.PathLike[str]]) -> None:
        """Raise InputError if one of the files is also read.

        Parameters
        ----------
        inputs : iterable of path-like
            What is read.
        """
        paths = (self.seconds, self.playouts, self.description)
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
        for path in (self.seconds, self.playouts, self.description):
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


def _described(job: Job) -> str:
    return f"the run {' '.join(map(str, job.key))}"


def _description(experiment: Experiment) -> dict[str, Any]:
    """Return what is run and on what machine. Raises InputError for an instance that cannot be read."""
    problem = problem_class(experiment.problem)
    hashes = {}
    for instance in experiment.instance_names():
        for variant in experiment.variants:
            hashes[instance] = read_problem(problem, instance, variant.make(problem)[1]).sha256
    return {
        "experiment": {
            **{key: value for key, value in asdict(experiment).items() if key not in ("variants", "instances")},
            "instances": hashes,
            "variants": {
                variant.name: {"solver": variant.solver, **variant.options} for variant in experiment.variants
            },
        },
        "versions": versions(),
        "machine": machine(),
    }


def _require_same(path: Path, now: dict[str, Any]) -> None:
    """Raise InputError unless ``now`` continues the experiment in ``path``: runs, variants, instances may be added."""
    try:
        before = json.loads(decoded(read_bytes(path)))["experiment"]
        kept = {kind: dict(before[kind]) for kind in ("variants", "instances")}
        settings = {key: before[key] for key in ("problem", "time", "playouts")}
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        raise InputError(f"{path}: is not the description of an experiment; choose another --out") from None
    experiment = now["experiment"]
    for key, value in settings.items():
        if experiment[key] != value:
            raise InputError(f"{path}: was made with {key} {value}, not {experiment[key]}; choose another --out")
    for kind, names in kept.items():
        for name, content in names.items():
            if experiment[kind].setdefault(name, content) != content:
                what = "options" if kind == "variants" else "content"
                raise InputError(f"{path}: was made with other {what} of {name}; choose another --out")
