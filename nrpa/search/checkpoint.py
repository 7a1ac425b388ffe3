"""A whole run in one file, and the run again from it: stopped and resumed, it ends as if it had never been stopped.

The file is an ``.npz`` of NumPy without compression. Nothing in it is ever executed (``allow_pickle=False``), and no
file that it names is read. Its entries:

- ``header``: uint8, JSON in UTF-8: ``format`` (3), ``problem``, ``instance`` (its label), ``sha256`` (of the instance),
  ``problem_options``, ``solver``, ``solver_options``, ``inputs`` (bias, weights and warm start of the caller's, by
  their hashes), ``seed``, ``versions``, ``status`` (empty if the run was going on), ``seconds``, ``improved_seconds``,
  ``improved_playouts`` (when the best was found), ``setup_seconds`` (for machine code), ``workers`` and ``clock``.
- ``memory/...``: the memory of the search by the path of its fields, as ``memory/policy/table/word`` and
  ``memory/random``, the state of the random numbers.
- ``curve/seconds``, ``curve/playouts``, ``curve/score``, and the same of ``improvements``.
- ``numbering``: uint8, JSON: the ``moves`` of a plain-Python problem in the order of their numbers, and its ``codes``
  (null where a move is its own code), each as ``nrpa.base.json_codec`` writes it; empty lists in a compiled problem.
- ``workers/0/memory/...``, ``workers/0/numbering``, ``workers/1/...``, in place of ``memory/...``, where each of
  several workers has a search of its own; ``whole/turns``, ``whole/playouts``, ``whole/score``, ``whole/moves`` and
  ``whole/worker``: the playouts of all, and the best of all.
- ``sha256``: uint8[32], the hash of all other entries (``nrpa.io.arrays``).

The hash notices accidents only, so each search checks what it goes on with (``require_sound``).
"""

from __future__ import annotations

import json
import math
import os
from concurrent.futures import Executor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.json_codec import CannotBeSavedError, decoded, encoded
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.base.values import MOST_PLAYOUTS, path_shown, shortened
from nrpa.base.versions import version_of
from nrpa.engine.model import Numbering
from nrpa.io.arrays import read_arrays, write_arrays
from nrpa.io.source import bundled
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import require_problem, validate
from nrpa.registry import problems, solver_class
from nrpa.search.arguments import require_executor
from nrpa.search.clock import CLOCKS, require_clock
from nrpa.search.curve import Point, Recorder
from nrpa.search.inputs import described
from nrpa.search.run import Run, versions
from nrpa.search.stop import Progress
from nrpa.search.workers import ParallelSearch, number_of_workers
from nrpa.solvers.interface import Improvement, Solver
from nrpa.solvers.search import with_numbering

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias

biases = lazy("nrpa.modelling.bias")
sound = lazy("nrpa.engine.sound")

FORMAT = 3
WHAT = "a checkpoint of nrpa"
_WHOLE_BEST: dict[str, Any] = {"turns": np.int64, "playouts": np.int64, "score": np.float64, "worker": np.int64}
_POINTS = ("curve", "improvements")
_POINT_TYPES = {"seconds": np.float64, "playouts": np.int64, "score": np.float64}
_TEXT, _OBJECT, _WHOLE, _NUMBER = (str,), (dict,), (int,), (int, float)
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("problem", "instance", "sha256", "solver", "status", "clock"), _TEXT),
    **dict.fromkeys(("problem_options", "solver_options", "inputs", "versions"), _OBJECT),
    **dict.fromkeys(("seed", "improved_playouts", "workers"), _WHOLE),
    **dict.fromkeys(("seconds", "improved_seconds", "setup_seconds"), _NUMBER),
}
# More workers than any search has, and more seconds than any took.
_MOST_WORKERS, _MOST_SECONDS = 10_000, 1e12
_MOST: dict[str, float] = {
    "seed": math.inf,
    "improved_playouts": MOST_PLAYOUTS,
    **dict.fromkeys(("seconds", "improved_seconds", "setup_seconds"), _MOST_SECONDS),
}


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint file holds, read and checked, but not yet a search.

    - ``path``: The file, for messages.
    - ``arrays``: The entries of the file but the header, whose own entries are the other fields.
    """

    path: str
    problem: str
    instance: str
    sha256: str
    problem_options: dict[str, Any]
    solver: str
    solver_options: dict[str, Any]
    inputs: dict[str, Any]
    seed: int
    versions: dict[str, Any]
    status: str
    seconds: float
    improved_seconds: float
    setup_seconds: float
    improved_playouts: int
    workers: int
    clock: str
    arrays: dict[str, np.ndarray]

    def make_solver(self) -> Solver:
        """Return the solver. Raises InputError where it is not installed, or has no such options."""
        found: Any = solver_class(self.solver)
        try:
            solver: Solver = found(**self.solver_options)
        except (TypeError, InputError) as error:
            raise InputError(f"{self.path}: its options do not fit the solver {self.solver} ({error})") from None
        return solver

    def read_problem(self) -> BaseProblem:
        """Return the problem, read again."""
        wanted = f"{self.problem} {self.instance}".rstrip()
        try:
            found = problems.load(self.problem)
        except InputError:
            raise InputError(f"{self.path}: is of {wanted}, a problem of your own; give it as well") from None
        reads = found.reads_instances()
        if reads and self.instance not in bundled(self.problem):
            raise InputError(f"{self.path}: is of {wanted}, which is no bundled instance; give the problem as well")
        try:
            own = self.problem_options
            problem: BaseProblem = found.load(self.instance, **own) if reads else found(**own)
        except TypeError as error:
            raise InputError(f"{self.path}: its options do not fit the problem {self.problem} ({error})") from None
        return problem

    def resume(
        self,
        problem: BaseProblem,
        bias: Bias | None = None,
        workers: int | str | None = None,
        executor: Executor | None = None,
    ) -> Run:
        """Return the run as it was saved, of a problem that must be the same."""
        called = perf_counter()
        count = self.agreed_workers(workers)
        require_clock(self.clock, count, executor is not None)
        self._require(problem, bias)
        validate(problem)
        if bias is not None:
            problem = biases.with_bias(problem, bias)
            self._require_same_bias(problem, bias)
        problem = with_numbering(problem, self._numbering("numbering"))
        solver = self.make_solver()
        searches = [self._search(problem, solver, part) for part in self._parts()]
        search = self._joined(problem, searches, count, executor)
        setup_seconds = self.setup_seconds + perf_counter() - called
        run = Run(problem, solver, search, self.seed, setup_seconds, self.inputs, self.clock)
        begun = search.playouts > 0
        run.status = self.status
        run.progress = Progress(
            self.seconds,
            search.playouts,
            search.score if begun else -math.inf,
            self.improved_seconds,
            self.improved_playouts,
            search.finished,
        )
        last = Point(self.seconds, search.playouts, run.progress.score)
        run.recorder = Recorder.going_on(self._points("curve"), self._points("improvements"), last)
        return run

    def agreed_workers(self, wanted: int | str | None) -> int:
        """Return how many workers go on. Raises InputError where that would be another search."""
        if wanted is None:
            return self.workers
        count = number_of_workers(wanted, elsewhere=True)
        if count != self.workers:
            made_by = f"{self.workers} worker{'s' * (self.workers != 1)}"
            raise InputError(f"{self.path}: is of {made_by}, and cannot go on with {count}")
        return count

    def _parts(self) -> list[str]:
        """Return where the searches of the file are, one or one a worker."""
        parts = [f"workers/{worker}/" for worker in range(self.workers)]
        if f"{parts[0]}numbering" in self.arrays:
            return parts
        if self.workers > 1:
            raise InputError(f"{self.path}: does not hold the searches of its {self.workers} workers")
        return [""]

    def _search(self, problem: BaseProblem, solver: Any, part: str) -> Any:
        try:
            search = solver.start(with_numbering(problem, self._numbering(f"{part}numbering")), self.seed)
            memory = self._rebuilt(search.memory, f"{part}memory")
            search.require_sound(memory)
        except sound.UnsoundError as error:
            raise InputError(f"{self.path}: the checkpoint's {error}{f' ({part[:-1]})' if part else ''}") from None
        except MemoryError:
            raise InputError(f"{self.path}: the checkpoint's arrays want more memory than there is") from None
        search.take_over(memory)
        return search

    def _joined(self, problem: BaseProblem, searches: list[Any], workers: int, executor: Executor | None) -> Any:
        """Return what goes on with the searches: one of them alone, or workers."""
        if executor is not None:
            require_executor(executor)
        first = searches[0]
        if workers == 1 and executor is None:
            return first
        if len(searches) == 1 and "whole/turns" not in self.arrays:
            best = Improvement(self.improved_playouts, first.score, first.moves)
            return ParallelSearch(problem, searches, executor, best, first.playouts)
        best, turns = self._best_of_all(searches)
        return ParallelSearch(problem, searches, executor, best, turns)

    def _best_of_all(self, searches: list[Any]) -> tuple[Improvement, int]:
        """Return the best of all workers, and how many playouts have been shared out."""
        try:
            turns, playouts, score, worker = (
                self.arrays[f"whole/{name}"].astype(kind, casting="safe").item() for name, kind in _WHOLE_BEST.items()
            )
            moves = self.arrays["whole/moves"].astype(np.int64, casting="safe")
        except (ValueError, TypeError, LookupError):
            raise InputError(f"{self.path}: its best of all workers cannot be read") from None
        is_counted = 0 <= turns <= MOST_PLAYOUTS and 0 <= playouts <= MOST_PLAYOUTS and not math.isnan(score)
        is_of_one = 0 <= worker < len(searches) and any(np.array_equal(moves, each.moves) for each in searches)
        if not (is_counted and is_of_one):
            raise InputError(f"{self.path}: its best of all workers is that of none")
        return Improvement(playouts, score, moves, worker), turns

    def _require(self, problem: BaseProblem, bias: Bias | None) -> None:
        require_problem(problem)
        if problem.name != self.problem or problem.sha256 != self.sha256:
            given, wanted = (f"{name} {label}".rstrip() for name, label in self._names(problem))
            raise InputError(f"{self.path}: is a checkpoint of {wanted}, not of {given}")
        own = plain(problem.options)
        if own != self.problem_options:
            raise InputError(f"{self.path}: was made with the options {self.problem_options} of the problem, not {own}")
        if (bias is None) == ("bias" in self.inputs):
            raise InputError(
                f"{self.path}: the search was started with a bias of the caller's; give the same one"
                if bias is None
                else f"{self.path}: the search was started without a bias of the caller's; give none"
            )

    def _names(self, problem: BaseProblem) -> list[tuple[str, str]]:
        """Return name and label of the problem given and of that wanted; the hash where the labels do not differ."""
        names = [(problem.name, problem.label), (self.problem, self.instance)]
        if names[0] != names[1]:
            return names
        return [
            (name, f"{label} (sha256 {hash_[:12]})")
            for (name, label), hash_ in zip(names, (problem.sha256, self.sha256), strict=True)
        ]

    def _require_same_bias(self, problem: BaseProblem, bias: Bias) -> None:
        by_code = problem.bias_by_code()
        if described(bias if by_code is None else by_code) != self.inputs["bias"]:
            raise InputError(f"{self.path}: the search was started with another bias than the one given")

    def _rebuilt(self, fresh: Any, path: str) -> Any:
        """Return a record of the same classes as ``fresh``, of the arrays in the file; their sizes may differ."""
        if isinstance(fresh, tuple):
            fields = getattr(fresh, "_fields", range(len(fresh)))
            parts = (self._rebuilt(part, f"{path}/{name}") for name, part in zip(fields, fresh, strict=True))
            return tuple(parts) if type(fresh) is tuple else type(fresh)(*parts)
        found = self.arrays.get(path)
        if found is None or (found.dtype, found.ndim) != (fresh.dtype, fresh.ndim):
            raise InputError(f"{self.path}: does not hold the search of this solver (its entry {path})")
        # A bool whose byte is neither 0 nor 1 is more than one thing to compiled code.
        return np.ascontiguousarray(found != 0 if found.dtype == np.bool_ else found)

    def _points(self, name: str) -> list[Point]:
        try:
            columns = {column: self.arrays[f"{name}/{column}"] for column in _POINT_TYPES}
            sound.within("seconds", columns["seconds"], 0.0, _MOST_SECONDS)
            sound.within("playouts", columns["playouts"], 0, MOST_PLAYOUTS)
            sound.require_finite("score", columns["score"])
            for column, kind in _POINT_TYPES.items():
                is_column = columns[column].dtype == np.dtype(kind) and columns[column].ndim == 1
                sound.require(is_column, column, f"a column of {np.dtype(kind)}")
            return [Point(*values) for values in zip(*(column.tolist() for column in columns.values()), strict=True)]
        except (ValueError, TypeError, LookupError, sound.UnsoundError):
            raise InputError(f"{self.path}: its {name} cannot be read") from None

    def _numbering(self, name: str) -> Numbering:
        try:
            kept = _json(self.arrays[name])
            moves = [decoded(move) for move in kept["moves"]]
            codes = moves if kept["codes"] is None else [decoded(code) for code in kept["codes"]]
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
            raise InputError(f"{self.path}: its moves and codes cannot be read") from None
        return moves, codes


def save(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run to a file: see ``Run.save``."""
    write_arrays(path, _entries(run))


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Return what a checkpoint file holds.

    Raises InputError if it cannot be read, is damaged, or was written by another minor version of nrpa.
    """
    shown = path_shown(path)
    arrays = read_arrays(path, WHAT)
    try:
        header = _json(arrays.pop("header"))
        made_by = header["versions"]["nrpa"]
        format_ = header["format"]
    except (ValueError, TypeError, LookupError, RecursionError):
        raise InputError(f"{shown}: is not {WHAT}") from None
    own = version_of("nrpa")
    if not isinstance(made_by, str) or _minor(made_by) != _minor(own):
        raise InputError(f"{shown}: was written by nrpa {shortened(str(made_by))}; this is nrpa {own}")
    if format_ != FORMAT:
        raise InputError(f"{shown}: is of format {shortened(str(format_))}; this nrpa reads format {FORMAT}")
    for name, kind in _KINDS.items():
        if not isinstance(header.get(name), kind) or isinstance(header[name], bool):
            raise InputError(f"{shown}: is not {WHAT} (its header has no {name})")
    for name, most in _MOST.items():
        if not 0 <= header[name] <= most:
            raise InputError(f"{shown}: its {name} is {shortened(str(header[name]))}; expected 0 to {most}")
    if not 1 <= header["workers"] <= _MOST_WORKERS:
        raise InputError(f"{shown}: is not {WHAT} (its header names no workers)")
    if header["clock"] not in CLOCKS:
        raise InputError(f"{shown}: is not {WHAT} (its header names no clock)")
    return Checkpoint(path=shown, **{name: header[name] for name in _KINDS}, arrays=arrays)


def resume(
    path: str | os.PathLike[str],
    problem: BaseProblem | None = None,
    *,
    bias: Bias | None = None,
    workers: int | str | None = None,
    executor: Executor | None = None,
) -> Run:
    """Return the run that ``Run.save`` wrote: it goes on as if nothing had happened.

    Parameters
    ----------
    path : str or path-like
        The file.
    problem : BaseProblem, optional
        The problem. It can be left out where it is a bundled instance, or a problem of an installed package that reads
        none: nothing in a checkpoint is executed, and no file that it names is read.
    bias : array_like, mapping or function, optional
        The bias that the search was started with, if it was. Weights and warm start need not be given again.
    workers : int or "all", optional
        How many workers go on; as many as before, if it is given.
    executor : concurrent.futures.Executor, optional
        Where they run, as ``solve`` takes it.

    Returns
    -------
    Run
        The run, with its clock, curve and improvements. ``run.advance(playouts=n)`` makes ``n`` more.

    Raises
    ------
    InputError
        If the file cannot be read, is damaged, or was written by another minor version of nrpa, or if the problem, its
        options, the bias or the number of workers are not those that it was written with.

    Examples
    --------
    >>> import nrpa, tempfile
    >>> run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1), seed=1)
    >>> run.advance(playouts=100)
    'playouts'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.save(f"{folder}/search.npz")
    ...     again = nrpa.resume(f"{folder}/search.npz")
    >>> again.progress.playouts, again.seed
    (100, 1)
    """
    kept = read_checkpoint(path)
    return kept.resume(kept.read_problem() if problem is None else problem, bias, workers, executor)


def _entries(run: Run) -> dict[str, np.ndarray]:
    problem, solver, progress = run.problem, run.solver, run.progress
    if run.is_in_slice:
        raise InputError("a run cannot be saved in on_improvement, in the middle of a slice; save it in on_slice")
    searches = _searches(run._search)
    known = solver_class(solver.name) if all(hasattr(search, "take_over") for search in searches) else None
    if type(solver) is not known:
        raise InputError(f"a search of {type(solver).__name__} cannot be saved: it is no solver of nrpa")
    header = {
        "format": FORMAT,
        "problem": problem.name,
        "instance": problem.label,
        "sha256": problem.sha256,
        "problem_options": plain(problem.options),
        "solver": solver.name,
        "solver_options": plain(solver.options),
        "inputs": run.inputs,
        "seed": run.seed,
        "versions": versions(),
        "status": run.status,
        "seconds": progress.seconds,
        "improved_seconds": progress.improved_seconds,
        "improved_playouts": progress.improved_playouts,
        "setup_seconds": run.setup_seconds,
        "workers": run.workers,
        "clock": run.clock,
    }
    entries = {"header": _text(header)}
    for name in _POINTS:
        points = getattr(run.recorder, name)
        for column, kind in _POINT_TYPES.items():
            entries[f"{name}/{column}"] = np.array([getattr(point, column) for point in points], kind)
    if isinstance(run._search, ParallelSearch):
        entries["numbering"] = _text(_numbering(problem))
        entries.update(_whole(run._search))
        for worker, search in enumerate(searches):
            entries.update(_parts(search, f"workers/{worker}/"))
    else:
        entries.update(_parts(searches[0], ""))
    return entries


def _searches(search: Any) -> list[Any]:
    """Return the searches that a search consists of, each of one worker."""
    if isinstance(search, ParallelSearch):
        return search.searches()
    return [search]


def _parts(search: Any, part: str) -> dict[str, np.ndarray]:
    """Return the entries of a search of one worker."""
    numbering = {f"{part}numbering": _text(_numbering(search.problem))}
    return numbering | _flat(search.memory, f"{part}memory")


def _whole(search: ParallelSearch) -> dict[str, np.ndarray]:
    """Return the entries of what several workers have in common."""
    turns, best = search.standing()
    values = {"turns": turns, "playouts": best.playouts, "score": best.score, "worker": best.worker}
    entries = {f"whole/{name}": np.array([values[name]], kind) for name, kind in _WHOLE_BEST.items()}
    return {**entries, "whole/moves": best.moves}


def _numbering(problem: BaseProblem) -> dict[str, Any]:
    moves, codes = problem.model.numbering()
    kept = {"move": moves} if codes == moves else {"move": moves, "code": codes}
    written: dict[str, Any] = {}
    for kind, things in kept.items():
        try:
            written[f"{kind}s"] = [encoded(thing) for thing in things]
        except CannotBeSavedError as error:
            raise InputError(
                f"{type(problem).__name__}: a checkpoint cannot hold the {kind} {error}; "
                f"expected {kind}s of numbers, text, bytes, booleans and None, and tuples and frozensets of such"
            ) from None
    return {"codes": None, **written}


def _flat(record: Any, path: str) -> dict[str, np.ndarray]:
    """Return the arrays of a record of records by the paths of their fields."""
    if not isinstance(record, tuple):
        return {path: record}
    flat: dict[str, np.ndarray] = {}
    for name, part in zip(getattr(record, "_fields", range(len(record))), record, strict=True):
        flat.update(_flat(part, f"{path}/{name}"))
    return flat


def _text(value: Any) -> np.ndarray:
    return np.frombuffer(json.dumps(value, allow_nan=False).encode(), np.uint8)


def _json(array: np.ndarray) -> Any:
    return json.loads(array.tobytes())


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]
