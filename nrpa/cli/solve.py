"""The command ``nrpa solve``."""

from __future__ import annotations

import dataclasses
import logging
import os
import shlex
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nrpa.base.errors import InputError, LostWorkersError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import number_of, path_shown, shortened, whole_of
from nrpa.cli import INTERRUPTED, NOT_VALID, STARTED, options
from nrpa.cli.completion import solver_names
from nrpa.cli.options import cluster_of, executor_options, is_elsewhere
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem, given_words
from nrpa.cli.progress import display_for
from nrpa.cli.solver_options import all_solver_options, make_solver
from nrpa.io.files import is_replaced, require_kept, write_text
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import COMPILED, DEFAULT_SOLVER, OF_SEARCHES, is_users, solver_class, solver_with
from nrpa.search.curve import WALL, of_clock
from nrpa.search.display import Display
from nrpa.search.interrupt import Interrupt
from nrpa.search.result import Result, comparison, figure_text, valid_text
from nrpa.search.run import Run
from nrpa.search.solve import start
from nrpa.search.stop import Criterion, NoImprovement, PlayoutLimit, ScoreLimit, SearchLimit, TimeLimit
from nrpa.search.workers import cores, number_of_workers, require_work
from nrpa.solvers.interface import Solver

if TYPE_CHECKING:
    from nrpa.search.checkpoint import Checkpoint

autosave = lazy("nrpa.search.autosave")
front = lazy("nrpa.search.front")
picture = lazy("nrpa.plots.picture")
plots = lazy("nrpa.plots")
resuming = lazy("nrpa.search.checkpoint")

ENDED = ("optimal", "target")
# What the first screen of help shows of the options that all problems have.
COMMON = ("solver", "seed", "workers", "time", "playouts", "target", "json", "plot", "quiet")
ALL = 0
SEARCH = (
    f"The search, a name of `nrpa list`.  [default: {DEFAULT_SOLVER}; an option of another solver chooses that one]"
)


class Outputs(NamedTuple):
    """The files to write: the result, the curve as CSV, a picture, the whole search; None for those not asked for."""

    json: str | None
    curve: str | None
    plot: str | None
    checkpoint: str | None

    def require_possible(self, inputs: list[str], resume: str) -> None:
        """Raise InputError for files that cannot be written, or must not be because they are read."""
        given = {f"--{name}": path for name, path in self._asdict().items() if path is not None}
        options.require_files(given, inputs)
        require_kept({option: path for option, path in given.items() if option != "--checkpoint"}, [resume])
        if self.checkpoint is not None and not is_replaced(self.checkpoint):
            raise InputError(f"{path_shown(self.checkpoint)}: is no regular file; expected one for --checkpoint")
        if self.plot is not None:
            picture.require_format(self.plot)

    def kept_current(self, before: float) -> list[Callable[[Run], object]]:
        """Return what writes between slices; ``before``: the seconds before the search was set up."""
        hooks: list[Callable[[Run], object]] = []
        if self.json is not None and is_replaced(self.json):
            hooks.append(autosave.ResultAutosave(self.json, before).slice)
        if self.checkpoint is not None:
            hooks.append(autosave.CheckpointAutosave(self.checkpoint).slice)
        return hooks

    def write(self, search: Run, result: Result) -> None:
        """Write the files; raise InputError where one could not be, and say so of others before it."""
        writers: list[Callable[[str], object]] = [
            result.to_json,
            lambda path: write_text(path, result.curve_csv()),
            lambda path: picture.save(plots.overview(result, problem=search.problem), path),
            search.save,
        ]
        failed: list[InputError] = []
        for path, write in zip(self, writers, strict=True):
            try:
                if path is not None:
                    write(path)
            except InputError as error:
                failed.append(error)
        for other in failed[:-1]:
            echo(f"error: {other}", err=True)
        if failed:
            raise failed[-1]


def _solve(
    asked: Asked,
    *,
    solver: str | None,
    seed: int | None,
    workers: str | None,
    dask: str | None,
    mpi: Any,
    clock: str | None,
    resume: str | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Search, print the result, and write the files that were asked for."""
    outputs = Outputs(*(limits.pop(name) for name in Outputs._fields))
    kept = None if resume is None else _read_agreeing(resume, asked, solver, seed, clock)
    if kept is not None:
        asked = asked._replace(problem_options=kept.given_options)
    own = solver_class(solver) if solver is not None and is_users(solver) else None
    algorithm = _solver(asked, solver, limits["searches"]) if kept is None else kept.make_solver(own)
    chosen = options.seed_or_drawn(seed)
    wanted = _workers(workers, is_elsewhere(dask, mpi))
    outputs.require_possible(asked.inputs, resume or "")
    problem = asked.read()
    criteria = _criteria(problem, limits)
    _require_possible(problem, limits["target"])
    with ExitStack() as until_written:
        most = cores() if kept is None else kept.workers
        cluster = until_written.enter_context(cluster_of(dask, mpi, wanted or most))
        executor = None if cluster is None else cluster.executor
        count = _agreed_count(wanted, kept, cluster)
        require_work(count, limits["searches"] if kept is None else None)
        with display_for(problem, quiet) as display:
            _log_to(display)
            before = perf_counter() - STARTED
            said = f"{f'{problem.name} {problem.label}'.rstrip()}, {algorithm.name}, seed"
            if kept is None:
                display.message(f"{said} {chosen}{' (drawn)' if seed is None else ''}")
            if engaged := _engaged(count, cluster):
                display.message(engaged)
            new = partial(start, problem, algorithm, seed=chosen, clock=clock or WALL)
            search = _begun(
                new if kept is None else partial(resuming.resumed, kept, problem, solver=own),
                workers=count,
                executor=executor,
            )
            if kept is not None:
                display.message(f"{said} {search.seed}, after {search.progress.playouts:,} playouts")
            until_written.callback(search.close)
            until_written.enter_context(Interrupt())
            lost = _advance(search, criteria, display, outputs.kept_current(before))
            result = search.result()
        result = dataclasses.replace(result, setup_seconds=before + result.setup_seconds)
        try:
            echo_lines(_report(problem, result, before))
        finally:
            outputs.write(search, result)
        if lost is not None:
            raise lost
        if not quiet:
            _say_what_next(asked, result, outputs, limits)
        if result.faults and not result.faults_counted:
            click.get_current_context().exit(NOT_VALID)


def _say_what_next(asked: Asked, result: Result, outputs: Outputs, limits: dict[str, Any]) -> None:
    instance = [] if asked.instance is None else [asked.instance]
    words = [asked.name.removesuffix(COMPILED), *instance, *given_words(asked.problem, asked.problem_options)]
    if line := next_steps(words, result, asked.instance, outputs, limits):
        echo(line, err=True)


def _read_agreeing(path: str, asked: Asked, solver: str | None, seed: int | None, clock: str | None) -> Checkpoint:
    """Return a checkpoint that agrees with the command line."""
    kept: Checkpoint = resuming.read_checkpoint(path)
    if kept.problem != asked.problem.name:
        wanted = f"{kept.problem} {kept.instance}".rstrip()
        raise InputError(f"{kept.path}: is a checkpoint of {wanted}, not of {asked.problem.name}")
    named = solver_class(solver).name if solver is not None and is_users(solver) else solver
    for name, value in {"solver": named, "seed": seed, "clock": clock}.items():
        if value is not None:
            _require_same(kept, name, value, getattr(kept, name))
    given = {name: value for name, value in asked.solver_options.items() if value is not None}
    options = make_solver(solver or kept.solver, given).options if given else {}
    for name in given:
        _require_same(kept, name, options[name], kept.solver_options.get(name))
    for name, value in asked.problem_options.items():
        _require_same(kept, name, value, kept.problem_options.get(name))
    return kept


def _require_same(kept: Checkpoint, name: str, given: Any, saved: Any) -> None:
    if given != saved:
        shown = f"--{name.replace('_', '-')}"
        raise InputError(f"{shown} {_text(given)} contradicts {kept.path}, a search with {_text(saved)}; leave it out")


def _text(value: Any) -> str:
    words = {True: "on", False: "off", None: "auto"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def next_steps(words: list[str], result: Result, instance: str | None, outputs: Outputs, limits: dict[str, Any]) -> str:
    """Return what a user may do next: keep the result, check and draw it, go on, let the default search."""
    steps, json, checkpoint = [], outputs.json, outputs.checkpoint
    if json is None:
        steps.append("keep it with --json FILE, for nrpa check and nrpa plot")
    elif is_replaced(json) and instance != "-":
        steps.append(shlex.join(["nrpa", "check", *words, json]))
        picture = _picture_of(json, filter(None, (outputs.plot, checkpoint)))
        mine = ["--problem", words[0]] if is_users(words[0]) else []
        if instance not in (None, result.instance):
            mine += ["--instance", instance]
        steps.append(shlex.join(["nrpa", "plot", "--solution", json, *mine, "--out", picture]))
    if result.status not in ENDED:
        more = _more(result, limits)
        if checkpoint is not None and instance != "-":
            steps.append(shlex.join(["nrpa", "solve", *words, "--resume", checkpoint, *more]))
        else:
            steps.append(f"more time: {' '.join(more)}")
        if result.solver != DEFAULT_SOLVER and instance != "-":
            steps.append(f"the default search: {shlex.join(['nrpa', 'solve', *words])}")
    return f"next: {' | '.join(steps)}" if steps else ""


def _picture_of(json: str, taken: Iterable[str]) -> str:
    """Return a name beside a result for the picture of its solution; it is none of the files that were written."""
    written = {os.path.realpath(path) for path in (json, *taken)}
    picture = Path(json).with_suffix(".png")
    while os.path.realpath(picture) in written:
        picture = picture.with_suffix(".solution.png")
    return str(picture)


def _more(result: Result, limits: dict[str, Any]) -> list[str]:
    if limits["playouts"] is not None and limits["time"] is None:
        return ["--playouts", str(2 * max(limits["playouts"], result.playouts))]
    seconds = max(result.seconds, limits["time"] or 0.0)
    return ["--time", f"{2 * seconds:.3g}"]


def _agreed_count(wanted: Any, kept: Any, cluster: Any) -> int:
    """Return the number of workers: all of a cluster or of the cores where that is asked for, else those of the run."""
    if wanted == ALL or (wanted is None and kept is None and cluster is not None):
        wanted = cores() if cluster is None else cluster.places
    count: int = (wanted or 1) if kept is None else kept.agreed_workers(wanted)
    return count


def _solver(asked: Asked, name: str | None, searches: int | None) -> Solver:
    """Return the solver with its options: the one with a name, or what suits the options and the limit of searches."""
    given = [option for option, value in asked.solver_options.items() if value is not None]
    return make_solver(name or solver_with(given, searches), asked.solver_options)


def _begun(begin: Callable[..., Run], **who: Any) -> Run:
    """Return the search that a function makes; end the command where it is interrupted."""
    try:
        return begin(**who)
    except KeyboardInterrupt:
        echo("stopped before the search began", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _require_possible(problem: BaseProblem, target: Any) -> None:
    """Raise InputError for a target whose sign is not that of the best known value, as that of a score in its place."""
    known, name = problem.best_known, problem.objective.name
    if target is not None:
        problem.objective.score(target)
    if known is None or not isinstance(target, (int, float)) or target * known.value >= 0:
        return
    best = f"the best known {name} of {problem.label} is {problem.objective.text(known.value)}"
    raise InputError(f"--target {target:.12g} has the wrong sign: {best}")


def _advance(
    search: Run, criteria: list[Criterion], display: Display, hooks: list[Callable[[Run], object]]
) -> LostWorkersError | None:
    """Search, with ``hooks`` between slices; return the error where workers were lost for good, to be raised later."""

    def on_slice(now: Run) -> None:
        for hook in [display.slice, *hooks]:
            hook(now)

    try:
        search.advance(stop=criteria, on_improvement=display.improvement, on_slice=on_slice)
    except LostWorkersError as error:
        if not search.progress.playouts:
            raise
        search.status = "interrupted"
        return error
    return None


def _workers(text: str | None, elsewhere: bool) -> int | None:
    """Return the number of workers that is asked for, ALL or None."""
    if text is None or text == "all":
        return None if text is None else ALL
    number = whole_of(text)
    if number is None:
        raise InputError(f"--workers: expected a whole number or all, found {shortened(text)!r}")
    return number_of_workers(number, elsewhere)


def _engaged(workers: int, cluster: Any) -> str:
    if cluster is not None:
        return f"{workers} worker{'s' * (workers != 1)} on {cluster.title}, which runs {cluster.places} at once"
    return f"on {workers} of {cores()} cores; --workers all uses them all" if workers < cores() else ""


def _criteria(problem: BaseProblem, limits: dict[str, Any]) -> list[Criterion]:
    criteria: dict[str, Callable[[Any], Criterion]] = {
        "target": lambda value: ScoreLimit(problem.objective.score(value)),
        "playouts": PlayoutLimit,
        "searches": SearchLimit,
        "time": TimeLimit,
        "no_improvement": _no_improvement,
    }
    return [make(limits[name]) for name, make in criteria.items() if limits[name] is not None]


def _no_improvement(text: str) -> NoImprovement:
    if text.endswith("s") and (seconds := number_of(text[:-1])) is not None:
        return NoImprovement(time=seconds)
    if (playouts := whole_of(text)) is not None:
        return NoImprovement(playouts=playouts)
    raise InputError(f"--no-improvement: expected playouts (100000) or seconds (5s), found {shortened(text)!r}")


def _log_to(display: Display) -> None:
    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            display.message(record.getMessage())
            if is_done := getattr(record, "is_done", None):
                display.compiling(is_done)

    logger = logging.getLogger("nrpa")
    logger.handlers = [Handler()]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def _report(problem: BaseProblem, result: Result, reading: float) -> str:
    rate = result.playouts / result.seconds if result.seconds > 0 else 0.0
    by = f"seed {result.seed}" + (f", {result.workers} workers" if result.workers > 1 else "")
    rows = [("instance", f"{problem.name} {result.instance}".rstrip())]
    for name, value in result.figures.items():
        rows.append((name, figure_text(problem.objective, name, value)))
    rows += [
        ("valid", valid_text(result)),
        ("status", result.status),
        ("setup", f"{result.setup_seconds:.2f} s, which no limit counts: reading {reading:.2f} s, then machine code"),
        (
            "search",
            f"{result.playouts:,} playouts in {result.seconds:.2f} s{of_clock(result.clock)} ({rate:,.0f}/s), {by}",
        ),
    ]
    known = comparison(problem, result.score)
    if known:
        rows.insert(1 + len(result.figures), ("best known", known))
    lines = [escaped(f"{name:11} {text}") for name, text in rows]
    table = [] if result.front is None else front.front_lines(result.front, problem.objective)
    return "\n".join([*lines, problem.sketch(result.solution), *table])


solve_command = PerProblem(
    "solve",
    run=_solve,
    own=lambda problem: [
        options.word("--solver", SEARCH, "NAME|FILE.py", shell_complete=solver_names),
        options.integer("--seed", "Same seed and playouts, same result.  [default: drawn]"),
        options.word("--workers", "Workers that search at once.  [default: 1; --dask, --mpi: all]", "N|all"),
        *executor_options(),
        options.number("--time", "Stop after so many seconds.  [default: 10.24]"),
        options.clock(),
        options.integer("--playouts", "Stop after so many playouts."),
        options.integer("--searches", "Stop after so many top-level searches: 1 is a run as the papers count."),
        click.Option(
            ["--target"], type=options.TARGET, help=f"Stop at this value ({problem.objective.name}) or better."
        ),
        options.word("--no-improvement", "Stop after N playouts, or N seconds (as in 5s), without a new best.", "N|Ns"),
        options.output("--json", "Write the result as JSON, kept current; - for stdout."),
        options.output("--curve", "Write the anytime curve as CSV."),
        options.output("--plot", "Draw convergence and solution (PNG, SVG, PDF).", why_not=options.PICTURE),
        options.output("--checkpoint", "Write the whole search, every 5 s and at the end.", why_not="expected a file"),
        options.file("--resume", "Go on with a checkpoint; limits count from its beginning."),
        options.quiet(),
    ],
    of_solvers=all_solver_options,
    common=COMMON,
    solvers=(DEFAULT_SOLVER, OF_SEARCHES),
    compiles=True,
    text="Solve an instance of {}.\n\n"
    "INSTANCE is a path, a bundled name (`nrpa list`), or - for standard input. "
    "Ctrl-C ends the search and keeps the best so far.",
)
