"""The command ``nrpa solve``."""

from __future__ import annotations

import dataclasses
import logging
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from time import perf_counter
from typing import Any

import click

from nrpa.base.errors import InputError, LostWorkersError
from nrpa.base.lazy import lazy
from nrpa.base.numerals import number_of, whole_of
from nrpa.base.values import path_shown, shortened
from nrpa.cli import INTERRUPTED, STARTED
from nrpa.cli.clock_option import clock_option
from nrpa.cli.completion import files, solver_names
from nrpa.cli.description import require_no_description
from nrpa.cli.display import display_for
from nrpa.cli.executors import cluster_of, executor_options
from nrpa.cli.next_steps import next_steps
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.parallel_option import agreed_workers, parallel_option
from nrpa.cli.per_problem import (
    PerProblem,
    described,
    given_words,
    instance_argument,
    named,
    problem_options,
    read_or_make,
)
from nrpa.cli.resume import only_given, read_agreeing
from nrpa.cli.solver_options import bundled_solver_options, make_solver, other_solver_options
from nrpa.io.files import is_replaced, require_distinct, require_kept, require_writable, write_text
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, solvers
from nrpa.registry.source_files import source_files
from nrpa.search import run
from nrpa.search.clock import PROCESSOR, WALL
from nrpa.search.figures import figure_text
from nrpa.search.gap import comparison
from nrpa.search.interrupt import Interrupt
from nrpa.search.keep import KeptCheckpoint, KeptResult
from nrpa.search.parallel import SPECULATE, require_work
from nrpa.search.result import Result
from nrpa.search.rows import Display
from nrpa.search.run import Run
from nrpa.search.stop import Criterion, NoImprovement, PlayoutLimit, ScoreLimit, SearchLimit, TimeLimit
from nrpa.search.workers import cores, number_of_workers

plots = lazy("nrpa.plots")
picture = lazy("nrpa.plots.picture")


DEFAULT_SOLVER = "gnrpa"
ALL = 0


def solve_command(name: str) -> click.Command:
    """Return the command that solves instances of one problem.

    Parameters
    ----------
    name : str
        The problem.

    Returns
    -------
    click.Command
        The command.

    Raises
    ------
    InputError
        If there is no such problem, or one of its options has the name of an option of the command.
    """
    problem = problem_class(name)
    own: list[click.Parameter] = [
        *instance_argument(problem),
        click.Option(
            ["--solver"],
            metavar="NAME",
            shell_complete=solver_names,
            help=f"One of {', '.join(solvers.entries())}.  [default: {DEFAULT_SOLVER}]",
        ),
    ]
    limits_and_files = [
        click.Option(["--seed"], type=WHOLE, help="Same seed and playouts, same result.  [default: drawn]"),
        click.Option(
            ["--workers"],
            metavar="N|all",
            help="So many workers, or one a core.  [default: 1; with --dask or --mpi all that it has]",
        ),
        parallel_option(),
        *executor_options(),
        click.Option(["--time"], type=NUMBER, help="Stop after so many seconds.  [default: 10.24 without limits]"),
        clock_option(),
        click.Option(["--playouts"], type=WHOLE, help="Stop after so many playouts."),
        click.Option(
            ["--searches"], type=WHOLE, help="Stop after so many top-level searches: 1 is a run as the papers count."
        ),
        click.Option(["--target"], type=NUMBER, help=f"Stop at this value ({problem.objective.name}) or better."),
        click.Option(
            ["--no-improvement"],
            metavar="N|Ns",
            help="Stop after N playouts, or N seconds (as in 5s), without a new best.",
        ),
        click.Option(
            ["--json"],
            metavar="FILE",
            shell_complete=files,
            help="Write the result as JSON, within a second after each improvement as well.",
        ),
        click.Option(["--curve"], metavar="FILE", shell_complete=files, help="Write the anytime curve as CSV."),
        click.Option(
            ["--plot"], metavar="FILE", shell_complete=files, help="Draw convergence and solution (PNG, SVG, PDF)."
        ),
        click.Option(
            ["--checkpoint"],
            metavar="FILE",
            shell_complete=files,
            help="Write the whole search every 5 seconds and at the end, for --resume.",
        ),
        click.Option(
            ["--resume"],
            metavar="FILE",
            shell_complete=files,
            help="Go on with the search in this checkpoint; its solver, options and seed need not be given, "
            "and limits count from its very beginning.",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print the result only."),
    ]
    of_solvers: list[click.Parameter] = [option.parameter() for option in bundled_solver_options()]
    of_problem = problem_options(problem, named([*own, *of_solvers, *limits_and_files]))
    taken = named([*own, *of_solvers, *of_problem, *limits_and_files])
    of_solvers += [option.parameter() for option in other_solver_options(taken)]

    def callback(**given: Any) -> None:
        settings = [{name: given.pop(name) for name in named(group)} for group in (of_solvers, of_problem)]
        solve(problem, *settings, **given)

    return click.Command(
        name,
        callback=callback,
        params=[*own, *of_solvers, *of_problem, *limits_and_files],
        help=f"Solve an instance of {described(name)}.\n\n"
        "INSTANCE is a path, the name of a bundled instance, or - for standard input. "
        "Ctrl-C, SIGTERM and SIGHUP end the search and keep the best so far.",
    )


command = PerProblem("solve", solve_command, "Solve an instance of a problem.")


def solve(
    problem_class: type[BaseProblem],
    solver_options: dict[str, Any],
    problem_options: dict[str, Any],
    *,
    instance: str | None = None,
    solver: str | None,
    seed: int | None,
    workers: str | None,
    dask: str | None,
    mpi: Any,
    parallel: str | None,
    clock: str | None,
    time: float | None,
    playouts: int | None,
    searches: int | None,
    target: float | None,
    no_improvement: str | None,
    json: str | None,
    curve: str | None,
    plot: str | None,
    checkpoint: str | None,
    resume: str | None,
    quiet: bool,
) -> None:
    """Search, print the result, and write the files that were asked for.

    Parameters
    ----------
    problem_class : type
        The class of the problem.
    solver_options : dict
        The solver's options by name; those that were not given are None.
    problem_options : dict
        The problem's options by name.
    instance : str, optional
        The instance, of a problem that reads instances.
    solver : str
        The name of the solver.
    seed : int or None
        The seed; drawn if None.
    workers : str or None
        The number of workers, or "all".
    dask : str or None
        The address of Dask's scheduler, or "local".
    mpi : Cluster or None
        The processes of MPI.
    parallel : {"searches", "speculate"} or None
        How they share the search.
    clock : {"wall", "processor"} or None
        What seconds are.
    time, playouts, searches, target : float or int or None
        The limits, as ``nrpa.solve`` takes them.
    no_improvement : str or None
        Playouts ("100000") or seconds ("5s") without a new best.
    json, curve, plot, checkpoint : str or None
        The files to write: the result, the curve as CSV, a picture, the whole search.
    resume : str or None
        The checkpoint to go on with.
    quiet : bool
        Whether to show nothing but the result.

    Raises
    ------
    InputError
        If a value is out of range, the instance cannot be read, or a file cannot be written: the last is found out
        before the search where that is possible.
    """
    kept = None
    if resume is not None:
        kept = read_agreeing(resume, problem_class, solver, solver_options, only_given(problem_options), seed, clock)
        problem_options = kept.problem_options
    algorithm = make_solver(solver or DEFAULT_SOLVER, solver_options) if kept is None else kept.make_solver()
    criteria = _criteria(problem_class, time, playouts, searches, target, no_improvement)
    chosen = secrets.randbits(32) if seed is None else run.checked_seed(seed)
    wanted = _workers(workers)
    _require_outputs(
        {"--json": json, "--curve": curve, "--plot": plot, "--checkpoint": checkpoint}, instance, resume or ""
    )
    problem = read_or_make(problem_class, instance, problem_options)
    _require_possible(problem, target)
    with ExitStack() as until_written:
        most = cores() if kept is None else kept.workers
        cluster = until_written.enter_context(cluster_of(dask, mpi, wanted or most))
        executor = None if cluster is None else cluster.executor
        if wanted == ALL or (wanted is None and kept is None and cluster is not None):
            wanted = cores() if cluster is None else cluster.places
        way, count = agreed_workers(parallel, wanted, algorithm, kept)
        require_work(way, count, searches if kept is None else None)
        with display_for(problem, quiet) as display:
            _log_to(display.message)
            before = perf_counter() - STARTED
            said = f"{f'{problem.name} {problem.label}'.rstrip()}, {algorithm.name}, seed"
            if kept is None:
                display.message(f"{said} {chosen}{' (drawn)' if seed is None else ''}")
            if engaged := _engaged(count, cluster):
                display.message(engaged)
            new = partial(run.start, problem, algorithm, seed=chosen, parallel=way, clock=clock or WALL)
            search = _begun(new if kept is None else partial(kept.resume, problem), workers=count, executor=executor)
            if kept is not None:
                display.message(f"{said} {search.seed}, after {search.progress.playouts:,} playouts")
            until_written.callback(search.close)
            until_written.enter_context(Interrupt())
            slices = _slices(display, json, checkpoint, before)
            lost = _advance(search, criteria, display, slices)
            result = search.result()
        result = dataclasses.replace(result, setup_seconds=before + result.setup_seconds)
        try:
            click.echo(_report(problem, result))
        finally:
            _write_outputs(search, result, json=json, curve=curve, plot=plot, checkpoint=checkpoint)
        if lost is not None:
            raise lost
        if not quiet:
            words = [*([] if instance is None else [instance]), *given_words(problem_class, problem_options)]
            files = {"instance": instance, "json": json, "plot": plot, "checkpoint": checkpoint}
            _say_next(words, result, **files, limits={"time": time, "playouts": playouts})


def _begun(begin: Callable[..., Run], **who: Any) -> Run:
    """Return the search that a function makes; end the command where it is interrupted."""
    try:
        return begin(**who)
    except KeyboardInterrupt:
        click.echo("stopped before the search began", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _require_outputs(outputs: dict[str, str | None], instance: str | None, resume: str) -> None:
    """Raise InputError for files that cannot be written, or must not be because they are read."""
    given = {option: path for option, path in outputs.items() if path is not None}
    for path in given.values():
        require_writable(path)
    require_distinct(given)
    read = [*([] if instance is None else [file_of(instance)]), *source_files()]
    require_kept(given, read)
    require_kept({option: path for option, path in given.items() if option != "--checkpoint"}, [resume])
    for option, path in given.items():
        require_no_description(option, path)
    if "--checkpoint" in given and not is_replaced(given["--checkpoint"]):
        raise InputError(f"{path_shown(given['--checkpoint'])}: is no regular file; expected one for --checkpoint")
    if "--plot" in given:
        picture.require_format(given["--plot"])


def _require_possible(problem: BaseProblem, target: float | None) -> None:
    """Raise InputError for a target whose sign is not that of the best known value, as that of a score in its place."""
    known, name = problem.best_known, problem.objective.name
    if target is None or known is None or problem.objective.sign > 0 or target * known.value >= 0:
        return
    best = f"the best known {name} of {problem.label} is {problem.objective.text(known.value)}"
    raise InputError(f"--target {target:.12g} has the wrong sign: it is a {name}, and {best}")


def _say_next(words: list[str], result: Result, **given: Any) -> None:
    """Say on standard error what can be done next with the problem that this command is for."""
    problem = str(click.get_current_context().info_name)
    if line := next_steps([problem, *words], result, **given):
        click.echo(line, err=True)


def _advance(
    search: Run, criteria: list[Criterion], display: Display, slices: Callable[[Run], None]
) -> LostWorkersError | None:
    """Search; return the error where workers were lost for good, so that what was found is printed before it."""
    try:
        search.advance(stop=criteria, on_improvement=display.improvement, on_slice=slices)
    except LostWorkersError as error:
        if not search.progress.playouts:
            raise
        search.status = "interrupted"
        return error
    return None


def _slices(display: Display, json: str | None, checkpoint: str | None, before: float) -> Callable[[Run], None]:
    """Return what is done between slices: the display, and the files that are kept current."""
    hooks: list[Callable[[Run], object]] = [display.slice]
    if json is not None and is_replaced(json):
        hooks.append(KeptResult(json, before).slice)
    if checkpoint is not None:
        hooks.append(KeptCheckpoint(checkpoint).slice)

    def on_slice(now: Run) -> None:
        for hook in hooks:
            hook(now)

    return on_slice


def _workers(text: str | None) -> int | None:
    """Return the number of workers that is asked for, ALL or None."""
    if text is None or text == "all":
        return None if text is None else ALL
    number = whole_of(text)
    if number is None:
        raise InputError(f"--workers: expected a whole number or all, found {shortened(text)!r}")
    return number_of_workers(number)


def _engaged(workers: int, cluster: Any) -> str:
    """Return who searches, and who could as well."""
    if cluster is not None:
        return f"{workers} worker{'s' * (workers != 1)} on {cluster.title}, which runs {cluster.places} at once"
    idle = cores() - workers
    return f"{idle} of {cores()} cores idle; --workers all uses them" if idle > 0 else ""


def _write_outputs(
    search: Run, result: Result, *, json: str | None, curve: str | None, plot: str | None, checkpoint: str | None
) -> None:
    """Write the files that were asked for; say which could not be written, and end with exit status 2 if one."""
    outputs: list[tuple[str | None, Callable[[str], object]]] = [
        (json, result.to_json),
        (curve, lambda path: write_text(path, result.curve_csv())),
        (plot, lambda path: picture.save(plots.overview(result, problem=search.problem), path)),
        (checkpoint, search.save),
    ]
    failed = False
    for path, write in outputs:
        try:
            if path is not None:
                write(path)
        except InputError as error:
            failed = True
            click.echo(f"error: {error}", err=True)
    if failed:
        click.get_current_context().exit(2)


def _criteria(
    problem: type[BaseProblem],
    time: float | None,
    playouts: int | None,
    searches: int | None,
    target: float | None,
    no_improvement: str | None,
) -> list[Criterion]:
    criteria: list[Criterion] = []
    if target is not None:
        criteria.append(ScoreLimit(problem.objective.score(target)))
    if playouts is not None:
        criteria.append(PlayoutLimit(playouts))
    if searches is not None:
        criteria.append(SearchLimit(searches))
    if time is not None:
        criteria.append(TimeLimit(time))
    if no_improvement is not None:
        criteria.append(_no_improvement(no_improvement))
    return criteria


def _no_improvement(text: str) -> NoImprovement:
    if text.endswith("s") and (seconds := number_of(text[:-1])) is not None:
        return NoImprovement(time=seconds)
    if (playouts := whole_of(text)) is not None:
        return NoImprovement(playouts=playouts)
    raise InputError(f"--no-improvement: expected playouts (100000) or seconds (5s), found {shortened(text)!r}")


def _log_to(show: Callable[[str], None]) -> None:
    """Show what the library logs."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            show(record.getMessage())

    logger = logging.getLogger("nrpa")
    logger.handlers = [Handler()]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def _report(problem: BaseProblem, result: Result) -> str:
    """Return the result as the lines that go to standard output."""
    rate = result.playouts / result.seconds if result.seconds > 0 else 0.0
    by = f"seed {result.seed}" + (f", {result.workers} workers" if result.workers > 1 else "")
    if result.workers > 1 and result.parallel == SPECULATE:
        by += f" ({result.kept_share:.0%} of their work kept)"
    of_clock = " of processor time" if result.clock == PROCESSOR else ""
    rows = [("instance", f"{problem.name} {result.instance}".rstrip())]
    for name, value in result.figures.items():
        rows.append((name, figure_text(problem.objective, name, value)))
    rows += [
        ("status", result.status),
        ("search", f"{result.playouts:,} playouts in {result.seconds:.2f} s{of_clock} ({rate:,.0f}/s), {by}"),
    ]
    known = comparison(problem, result.score)
    if known:
        rows.insert(1 + len(result.figures), ("best known", known))
    lines = [f"{name:11} {text}" for name, text in rows]
    return "\n".join([*lines, problem.sketch(result.solution)])
