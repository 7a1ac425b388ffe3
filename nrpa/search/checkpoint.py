"""The file of a whole run: written, read, and resumed, from where it goes on as if it had never been stopped.

The file is an ``.npz`` of NumPy without compression. Nothing in it is ever executed (``allow_pickle=False``), and no
file that it names is read. Its entries:

- ``header``: uint8, JSON in UTF-8: ``format`` (6), ``problem``, ``instance`` (its label), ``sha256`` (of the instance),
  ``problem_options``, ``solver``, ``solver_options``, ``inputs`` (bias, weights and warm start of the caller's, by
  their hashes), ``seed``, ``versions``, ``status`` (empty if the run was going on), ``seconds``, ``improved_seconds``,
  ``improved_playouts`` (when the best was found), ``setup_seconds`` (for machine code), ``workers``, ``found_by`` (the
  worker that has the best), ``turns`` (the playouts shared out among the workers), ``shared`` (whether any number of
  workers can share the search), ``clock`` and ``given`` (which options of the problem the caller gave).
- ``memory/...``: the memory of the search by the path of its fields, as ``memory/policy/table/word`` and
  ``memory/random``, the state of the random numbers.
- ``curve/seconds``, ``curve/playouts``, ``curve/score``, and the same of ``improvements``.
- ``cut/moves``, ``cut/score``: what a playout that was given up had found, if that is the best.
- ``numbering``: uint8, JSON: the ``moves`` of a plain-Python problem in the order of their numbers, and its ``codes``
  (null where a move is its own code), each as ``nrpa.base.codec`` writes it; empty lists in a compiled problem.
- ``workers/0/memory/...``, ``workers/0/numbering``, ``workers/1/...``, in place of ``memory/...``, where each of
  several workers has a search of its own.
- ``sha256``: uint8[32], the hash of all other entries (``nrpa.search.checkpoint``).

The hash finds damage. Names, types and shapes of the arrays are compared with those of the search that is to go on, but
not what they hold: a checkpoint that somebody has forged on purpose can make compiled code fail. So go on only with
files that you trust.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.codec import CannotBeSavedError, decoded, encoded
from nrpa.base.errors import InputError
from nrpa.base.installed import version_of, versions
from nrpa.base.lazy import lazy
from nrpa.base.values import path_shown, plain, shortened
from nrpa.checking.validate import validate
from nrpa.engine.model import Numbering
from nrpa.io.files import is_directory, write_bytes
from nrpa.io.source import bundled
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.problem import Problem
from nrpa.registry import problems, solver_class, solvers
from nrpa.search.curve import Point, Recorder, require_clock
from nrpa.search.result import described_bias, described_prior
from nrpa.search.retry import require_executor
from nrpa.search.run import Run
from nrpa.search.stop import Progress
from nrpa.search.workers import ParallelSearch, number_of_workers, searches_of, shared_out
from nrpa.solvers.interface import Improvement, Search, Solver
from nrpa.solvers.search import with_numbering

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias

FORMAT = 6
WHAT = "a checkpoint of nrpa"
# A move or a code takes as long to write as so many bytes of an array.
THING_BYTES = 200
_POINT_TYPES = {"seconds": np.float64, "playouts": np.int64, "score": np.float64}
biases = lazy("nrpa.modelling.bias")
compiling = lazy("nrpa.compiling.problem")
costs = lazy("nrpa.compiling.cost")
HASH = "sha256"


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint file holds: its header, and arrays that are not yet a search."""

    path: str  # for messages
    arrays: dict[str, np.ndarray]  # the entries of the file but the header
    # What the header says, apart from the format.
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
    improved_playouts: int
    setup_seconds: float
    workers: int
    found_by: int
    turns: int
    shared: bool
    clock: str
    given: list[str] | None = None

    @property
    def given_options(self) -> dict[str, Any]:
        """The options of the problem that the caller gave."""
        own = self.problem_options
        return own if self.given is None else {name: value for name, value in own.items() if name in self.given}

    def make_solver(self, given: type[Solver] | None = None) -> Solver:
        """Return the solver, of a class that is given or installed. Raises InputError unless it has such options."""
        if given is None and self.solver not in solvers.entries():
            raise InputError(f"{self.path}: is of {self.solver}, a solver of your own; give it as well")
        found: Any = given or solver_class(self.solver)
        if found.name != self.solver:
            raise InputError(f"{self.path}: is a checkpoint of the solver {self.solver}, not of {found.name}")
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
            own = self.given_options
            problem: BaseProblem = found.load(self.instance, **own) if reads else found(**own)
        except TypeError as error:
            raise InputError(f"{self.path}: its options do not fit the problem {self.problem} ({error})") from None
        return problem

    def agreed_workers(self, wanted: int | str | None) -> int:
        """Return how many workers go on. Raises InputError where that would be another search."""
        if wanted is None:
            return self.workers
        count = number_of_workers(wanted, elsewhere=True)
        if count != self.workers and not self.shared:
            made_by = f"{self.workers} worker{'s' * (self.workers != 1)}"
            raise InputError(f"{self.path}: is of {made_by}, and cannot go on with {count}")
        return count

    def as_searched(self, problem: BaseProblem) -> BaseProblem:
        """Return the problem; if it is in plain Python, and the search was of the class compiled, that one."""
        is_plain = any(self.numbering(name)[0] for name in self.arrays if name.endswith("numbering"))
        if isinstance(problem, Problem) and self.improved_playouts and not is_plain:
            return compiling.compiled(problem)  # type: ignore[no-any-return]
        return problem

    def search(self, problem: BaseProblem, solver: Any, workers: int, executor: Executor | None) -> Any:
        """Return the searches that go on: one in this thread, one that workers share, or one for each worker."""
        if self.shared:
            search = self._search(problem, solver, "")
            if workers > 1 or executor is not None:
                shared_out(search, workers, executor)
            return search
        parts = [f"workers/{worker}/" for worker in range(self.workers)]
        if self.workers == 1 and f"{parts[0]}numbering" not in self.arrays:
            parts = [""]
        searches = [self._search(problem, solver, part) for part in parts]
        if self.workers == 1 and executor is None:
            return searches[0]
        # Workers whose problem is in plain Python number moves each in its own way.
        finder = searches[self.found_by]
        moves = problem.model.numbers_of(finder.problem.model.things_of(finder.moves))
        best = Improvement(self.improved_playouts, finder.score, moves, self.found_by)
        return ParallelSearch(problem, searches, executor, best, self.turns)

    def _search(self, problem: BaseProblem, solver: Any, part: str) -> Any:
        numbering = self.numbering(f"{part}numbering")
        if numbering[0] and not problem.model.numbers_moves:
            raise InputError(f"{self.path}: is of the class in plain Python; leave --compile (nrpa.compiled) out")
        problem = with_numbering(problem, numbering)
        # What the weights were, the memory says; a solver may choose another search where there are some.
        search = solver.start(problem, self.seed, weights={} if "weights" in self.inputs else None)
        try:
            search.restore({path.removeprefix(part): array for path, array in self.arrays.items()})
        except InputError as error:
            raise InputError(f"{self.path}: the checkpoint's {error}{f' ({part[:-1]})' if part else ''}") from None
        return search

    def require(self, problem: BaseProblem, bias: Bias | None) -> None:
        """Raise InputError unless a problem is that of the run, and a bias is given where there was one."""
        require_problem(problem)
        if problem.name != self.problem or problem.sha256 != self.sha256:
            given, wanted = (f"{name} {label}".rstrip() for name, label in self._names(problem))
            raise InputError(f"{self.path}: is a checkpoint of {wanted}, not of {given}")
        own = plain(problem.options)
        if own != self.problem_options:
            raise InputError(f"{self.path}: was made with the options {self.problem_options} of the problem, not {own}")
        if described_prior(problem).get("prior") != self.inputs.get("prior"):
            raise InputError(f"{self.path}: the search was started with another prior, or none, than the problem has")
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

    def require_same_bias(self, problem: BaseProblem, bias: Bias) -> None:
        """Raise InputError unless a bias, now that of the problem, is that of the run."""
        if described_bias(problem, bias) != self.inputs["bias"]:
            raise InputError(f"{self.path}: the search was started with another bias than the one given")

    def points(self, name: str) -> list[Point]:
        """Return the points of the curve, or of the improvements."""
        try:
            columns = [self.arrays[f"{name}/{column}"].tolist() for column in _POINT_TYPES]
        except KeyError:
            raise InputError(f"{self.path}: its {name} cannot be read") from None
        return [Point(*values) for values in zip(*columns, strict=True)]

    def numbering(self, name: str = "numbering") -> Numbering:
        """Return the moves and codes of a plain-Python problem in the order of their numbers."""
        try:
            kept = _json(self.arrays[name])
        except KeyError:
            raise InputError(f"{self.path}: its moves and codes cannot be read") from None
        moves = [*map(decoded, kept["moves"])]
        return moves, moves if kept["codes"] is None else [*map(decoded, kept["codes"])]


def saved_bytes(search: Search) -> int:
    """Return about how many bytes a checkpoint of a search has; none of a search that cannot be saved."""
    searches = searches_of(search)
    kept = [each for each in searches if hasattr(each, "arrays")]
    arrays: int = sum(array.nbytes for each in kept for array in each.arrays().values())
    return arrays + sum(THING_BYTES * len(things) for each in kept for things in each.problem.model.numbering())


def write_checkpoint(path: str | os.PathLike[str], run: Run, search: Search) -> None:
    """Write a run, and its search, to a file: see ``Run.save``."""
    problem, solver, progress = run.problem, run.solver, run.progress
    searches = searches_of(search)
    if not all(hasattr(each, "arrays") for each in searches):
        raise InputError(f"a search of {type(solver).__name__} cannot be saved: it has no arrays() and restore(arrays)")
    if solver.name in solvers.entries() and type(solver) is not solver_class(solver.name):
        raise InputError(f"a search of {type(solver).__name__} cannot be saved: {solver.name} is another solver's name")
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
        "found_by": search.best.worker if isinstance(search, ParallelSearch) else 0,
        "turns": search.turns if isinstance(search, ParallelSearch) else search.playouts,
        "shared": search.shared is not None,
        "clock": run.clock,
        "given": [*problem.given_options],
    }
    entries = {"header": _text(header)}
    for name in ("curve", "improvements"):
        points = getattr(run.recorder, name)
        for column, kind in _POINT_TYPES.items():
            entries[f"{name}/{column}"] = np.array([getattr(point, column) for point in points], kind)
    if run.cut is not None:
        entries["cut/moves"], entries["cut/score"] = run.cut.moves, np.array([run.cut.score])
    if isinstance(search, ParallelSearch):
        entries["numbering"] = _text(_numbering(problem))
    for worker, each in enumerate(searches):
        part = f"workers/{worker}/" if isinstance(search, ParallelSearch) else ""
        entries[f"{part}numbering"] = _text(_numbering(each.problem))
        entries.update({f"{part}{name}": array for name, array in each.arrays().items()})
    write_arrays(path, entries)


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Return what a checkpoint file holds."""
    shown = path_shown(path)
    arrays = read_arrays(path)
    try:
        header = _json(arrays.pop("header"))
        made_by = header["versions"]["nrpa"]
        format_ = header.pop("format")
    except (ValueError, TypeError, LookupError, RecursionError):
        raise InputError(f"{shown}: is not {WHAT}") from None
    own = version_of("nrpa")
    if not isinstance(made_by, str) or _minor(made_by) != _minor(own):
        raise InputError(f"{shown}: was written by nrpa {shortened(str(made_by))}; this is nrpa {own}")
    if format_ != FORMAT:
        raise InputError(f"{shown}: is of format {shortened(str(format_))}; this nrpa reads format {FORMAT}")
    return Checkpoint(shown, arrays, **header)


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


def _text(value: Any) -> np.ndarray:
    return np.frombuffer(json.dumps(value, allow_nan=False).encode(), np.uint8)


def _json(array: np.ndarray) -> Any:
    return json.loads(array.tobytes())


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def resume(
    path: str | os.PathLike[str],
    problem: BaseProblem | None = None,
    *,
    solver: type[Solver] | None = None,
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
    solver : class, optional
        The class of the solver, where it is one of your own. Its options are those of the run.
    bias : array_like, mapping or function, optional
        The bias that the search was started with, if it was. Weights and warm start need not be given again.
    workers : int or "all", optional
        How many workers go on: as many as before, unless they share the search.
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
    return resumed(kept, kept.read_problem() if problem is None else problem, bias, workers, executor, solver)


def resumed(
    kept: Checkpoint,
    problem: BaseProblem,
    bias: Bias | None = None,
    workers: int | str | None = None,
    executor: Executor | None = None,
    solver: type[Solver] | None = None,
) -> Run:
    """Return the run of a checkpoint as it was saved, of a problem that must be the same."""
    called = perf_counter()
    count = kept.agreed_workers(workers)
    require_clock(kept.clock, count, executor is not None)
    if executor is not None:
        require_executor(executor)
    problem = kept.as_searched(problem)
    kept.require(problem, bias)
    validate(problem)
    if bias is not None:
        problem = biases.with_bias(problem, bias)
        kept.require_same_bias(problem, bias)
    problem = with_numbering(problem, kept.numbering())
    costs.attach(problem)
    algorithm = kept.make_solver(solver)
    search = kept.search(problem, algorithm, count, executor)
    setup_seconds = kept.setup_seconds + perf_counter() - called
    run = Run(problem, algorithm, search, kept.seed, setup_seconds, kept.inputs, kept.clock)
    score = search.score if search.playouts else -math.inf
    if "cut/moves" in kept.arrays:
        score = float(kept.arrays["cut/score"][0])
        run.cut = Improvement(kept.improved_playouts, score, kept.arrays["cut/moves"], cut=True)
    last = Point(kept.seconds, search.playouts, score)
    run.status = kept.status
    run.progress = Progress(*last, kept.improved_seconds, kept.improved_playouts, search.finished)
    run.recorder = Recorder(kept.points("curve"), kept.points("improvements"), last)
    return run


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays of bools and numbers, by name, to an ``.npz`` file without compression, whole or not at all."""
    data = io.BytesIO()
    save: Callable[..., None] = np.savez
    save(data, **{**arrays, HASH: np.frombuffer(_hash(arrays), np.uint8)})
    write_bytes(path, data.getbuffer())


def read_arrays(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Return the arrays that ``write_arrays`` wrote, by name."""
    shown = path_shown(path)
    if is_directory(path):
        raise InputError(f"{shown}: is a directory; expected {WHAT}")
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise InputError(f"{shown}: no such file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{shown}: cannot be read ({reason})") from None
    if not data.startswith(b"PK"):
        raise InputError(f"{shown}: is not {WHAT}")
    try:
        arrays = _arrays_in(data)
        is_whole = arrays.pop(HASH).tobytes() == _hash(arrays)
    # What zipfile and NumPy raise for damaged bytes, and for types without any, is of a dozen kinds.
    except Exception:
        is_whole = False
    if not is_whole:
        raise InputError(f"{shown}: is damaged, or not {WHAT}")
    return arrays


def _arrays_in(data: bytes) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise ValueError("compressed")
    if sum(entry.file_size for entry in entries) > len(data):
        raise ValueError("entries that overlap")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _hash(arrays: Mapping[str, np.ndarray]) -> bytes:
    whole = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        whole.update(f"{name} {array.dtype.str} {arrays[name].shape}\n".encode())
        whole.update(array.data if array.size else b"")
    return whole.digest()
