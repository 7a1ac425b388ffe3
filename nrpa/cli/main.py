"""The command line."""

from __future__ import annotations

import time

_STARTED = time.perf_counter()

import dataclasses
import io
import logging
import secrets
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from nrpa import __version__
from nrpa.base.errors import InputError
from nrpa.cli.bench import bench, plot, table

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.search.result import Result
    from nrpa.search.stop import Criterion, NoImprovement
    from nrpa.solvers.interface import Solver

INTERRUPTED = 130


def main() -> None:
    """Run the command line; the entry point of the ``nrpa`` command."""
    _replace_what_cannot_be_encoded()
    try:
        sys.exit(commands(standalone_mode=False))
    except InputError as error:
        _die(f"error: {error}")
    except click.exceptions.NoArgsIsHelpError as error:
        _die(error.format_message())
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        _die(f"error: {error.format_message()}{where}")
    except (KeyboardInterrupt, click.Abort):
        _die("interrupted", INTERRUPTED)


def _replace_what_cannot_be_encoded() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _die(message: str, code: int = 2) -> None:
    click.echo(message, err=True)
    sys.exit(code)


class PerProblem(click.Group):
    """A command with a subcommand for each problem, made by ``build`` when it is asked for."""

    def __init__(self, name: str, build: Callable[[str], click.Command], summary: str) -> None:
        super().__init__(name, subcommand_metavar="PROBLEM INSTANCE [OPTIONS]", help=summary)
        self.build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the bundled problems."""
        from nrpa.problems import SUMMARIES

        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command for one problem; raises InputError for an unknown name."""
        return self.build(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the problems with a line each, without importing them."""
        from nrpa.problems import SUMMARIES

        with formatter.section("Problems"):
            formatter.write_dl(list(SUMMARIES.items()))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="nrpa")
def commands() -> None:
    """Nested Monte Carlo search for hard combinatorial problems."""


@commands.command("list")
@click.argument("problem", required=False)
def list_command(problem: str | None) -> None:
    """List problems, solvers and instances.

    Each bundled instance is listed with its best-known value and who proved it optimal.
    """
    from nrpa.io.source import bundled
    from nrpa.problems import SUMMARIES, problem_class

    if problem is None:
        click.echo("Problems")
        for name, summary in SUMMARIES.items():
            click.echo(f"  {name:12} {summary}")
        click.echo("\nSolvers")
        for name, summary in _solver_summaries().items():
            click.echo(f"  {name:12} {summary}")
    for name in SUMMARIES if problem is None else [problem]:
        found = problem_class(name)
        objective = found.objective
        rows = [
            (row.name, str(row.size), objective.text(row.best_known.value), _proof(row.best_known.proven_by))
            for row in bundled(name).values()
        ]
        if rows:
            click.echo(f"\nInstances of {name}")
            _echo_table(("instance", "size", f"best {objective.name}", "proven optimal by"), rows)


def _solver_summaries() -> dict[str, str]:
    from nrpa.solvers import SOLVERS

    return {name: (solver.__doc__ or "").splitlines()[0] for name, solver in SOLVERS.items()}


def _proof(proven_by: str) -> str:
    return proven_by or "nobody yet"


def _echo_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in [header, *rows]:
        cells = (
            cell.ljust(width) if k in (0, len(row) - 1) else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        click.echo("  " + "  ".join(cells).rstrip())


def _solve_command(name: str) -> click.Command:
    problem = _problem_class(name)
    return click.Command(
        name,
        callback=lambda **options: _solve(problem, **options),
        params=[
            *_instance_argument(problem),
            click.Option(
                ["--solver"],
                default="gnrpa",
                metavar="NAME",
                show_default=True,
                help="gnrpa, nrpa, nmcs, random or greedy.",
            ),
            click.Option(["--level"], type=int, help="Nesting level.  [default: 3; nmcs: 2]"),
            click.Option(["--iterations"], type=int, help="N, iterations of each level.  [default: 100]"),
            click.Option(["--alpha"], type=float, help="Learning rate α.  [default: 1.0]"),
            click.Option(["--tau"], type=float, help="Temperature τ.  [default: 1.0]"),
            click.Option(
                ["--memory/--no-memory"], default=None, help="NMCS: follow the best sequence found.  [default: memory]"
            ),
            click.Option(
                ["--bias/--no-bias"],
                default=None,
                help="GNRPA, NMCS, random: use the problem's bias β.  [default: bias; nmcs and random: no-bias]",
            ),
            click.Option(["--adapt"], metavar="NAME", help="plain, memoized or optimized.  [default: optimized]"),
            *_problem_options(problem),
            click.Option(["--seed"], type=int, help="Same seed and playouts, same result.  [default: drawn]"),
            click.Option(["--time"], type=float, help="Stop after so many seconds.  [default: 10.24 without limits]"),
            click.Option(["--playouts"], type=int, help="Stop after so many playouts."),
            click.Option(
                ["--searches"], type=int, help="Stop after so many top-level searches: 1 is a run as the papers count."
            ),
            click.Option(["--target"], type=float, help=f"Stop at this value ({problem.objective.name}) or better."),
            click.Option(
                ["--no-improvement"],
                metavar="N|Ns",
                help="Stop after N playouts, or N seconds (as in 5s), without a new best.",
            ),
            click.Option(["--json"], metavar="FILE", help="Write the result as JSON."),
            click.Option(["--curve"], metavar="FILE", help="Write the anytime curve as CSV."),
            click.Option(["--plot"], metavar="FILE", help="Draw convergence and solution (PNG, SVG, PDF)."),
            click.Option(["-q", "--quiet"], is_flag=True, help="Print the result only."),
        ],
        help=f"Solve an instance of {problem.name} ({problem.summary}).\n\n"
        "INSTANCE is a path, the name of a bundled instance, or - for standard input. "
        "Ctrl-C ends the search and keeps the best so far.",
    )


def _check_command(name: str) -> click.Command:
    problem = _problem_class(name)
    return click.Command(
        name,
        callback=lambda **options: _check(problem, **options),
        params=[
            *_instance_argument(problem),
            click.Argument(["solution"]),
            *_problem_options(problem),
            click.Option(["--draw"], is_flag=True, help="Print the whole solution as text, too."),
        ],
        help=f"Check a solution of {problem.name} by code that shares nothing with the search.\n\n"
        "SOLUTION is a JSON file that `nrpa solve` wrote, a plain list, or - for standard input. "
        "Exit status: 0 valid, 1 not valid, 2 unusable input.",
    )


commands.add_command(PerProblem("solve", _solve_command, "Solve an instance of a problem."))
commands.add_command(PerProblem("check", _check_command, "Check a solution."))
for command in (bench, table, plot):
    commands.add_command(command)


def _problem_class(name: str) -> type[BaseProblem]:
    from nrpa.problems import problem_class

    return problem_class(name)


def _instance_argument(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [click.Argument(["instance"])] if problem.reads_instances() else []


def _problem(problem_class: type[BaseProblem], instance: str | None, options: dict[str, Any]) -> BaseProblem:
    return problem_class(**options) if instance is None else problem_class.load(instance, **options)


def _problem_options(problem: type[BaseProblem]) -> list[click.Parameter]:
    parameters: list[click.Parameter] = []
    for option in problem.cli_options:
        flag = option.name.replace("_", "-")
        declaration, kind = f"--{flag}", click.Choice(option.choices) if option.choices else None
        if isinstance(option.default, bool):
            declaration = f"--{flag}/--no-{flag}"
        parameters.append(
            click.Option([declaration], type=kind, default=option.default, show_default=True, help=option.help)
        )
    return parameters


def _solve(
    problem_class: type[BaseProblem],
    instance: str | None = None,
    *,
    solver: str,
    level: int | None,
    iterations: int | None,
    alpha: float | None,
    tau: float | None,
    bias: bool | None,
    adapt: str | None,
    memory: bool | None,
    seed: int | None,
    time: float | None,
    playouts: int | None,
    searches: int | None,
    target: float | None,
    no_improvement: str | None,
    json: str | None,
    curve: str | None,
    plot: str | None,
    quiet: bool,
    **problem_options: Any,
) -> None:
    from nrpa.cli.display import display_for
    from nrpa.io.files import require_distinct, require_writable
    from nrpa.search.run import checked_seed, solve

    algorithm = _solver(
        solver, level=level, iterations=iterations, alpha=alpha, tau=tau, bias=bias, adapt=adapt, memory=memory
    )
    criteria = _criteria(problem_class, time, playouts, searches, target, no_improvement)
    chosen = secrets.randbits(32) if seed is None else checked_seed(seed)
    outputs = {"--json": json, "--curve": curve, "--plot": plot}
    given = {option: path for option, path in outputs.items() if path is not None}
    for path in given.values():
        require_writable(path)
    require_distinct(given)
    if plot is not None:
        from nrpa.plots.picture import require_format

        require_format(plot)
    problem = _problem(problem_class, instance, problem_options)
    with display_for(problem, quiet) as display:
        _log_to(display.message)
        display.message(f"{problem.name} {problem.label}, {solver}, seed {chosen}{' (drawn)' if seed is None else ''}")
        before = _elapsed()
        result = solve(
            problem,
            algorithm,
            seed=chosen,
            stop=criteria,
            on_improvement=display.improvement,
            on_slice=display.slice,
        )
    result = dataclasses.replace(result, setup_seconds=before + result.setup_seconds)
    try:
        click.echo(_report(problem, result))
    finally:
        _write_outputs(problem, result, json=json, curve=curve, plot=plot)


def _write_outputs(
    problem: BaseProblem, result: Result, *, json: str | None, curve: str | None, plot: str | None
) -> None:
    """Write the files that were asked for; say which could not be written, and end with exit status 2 if one."""
    from nrpa.io.files import write_text

    outputs: list[tuple[str | None, Callable[[str], object]]] = [
        (json, result.to_json),
        (curve, lambda path: write_text(path, result.curve_csv())),
        (plot, lambda path: _draw(problem, result, path)),
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


def _draw(problem: BaseProblem, result: Result, path: str) -> None:
    from nrpa.plots import overview
    from nrpa.plots.picture import save

    save(overview(result, problem=problem), path)


def _elapsed() -> float:
    return time.perf_counter() - _STARTED


def _solver(name: str, **given: Any) -> Solver:
    from nrpa.solvers import SOLVERS

    if name not in SOLVERS:
        raise InputError(f"unknown solver {name!r}; expected one of {', '.join(SOLVERS)}")
    solver: Any = SOLVERS[name]
    options = {option: value for option, value in given.items() if value is not None}
    accepted = {field.name for field in dataclasses.fields(solver)}
    for option, value in options.items():
        if option not in accepted:
            flag = f"--{option}/--no-{option}" if isinstance(value, bool) else f"--{option}"
            raise InputError(f"{flag} does not apply to the solver {name}")
    made: Solver = solver(**options)
    return made


def _criteria(
    problem: type[BaseProblem],
    time: float | None,
    playouts: int | None,
    searches: int | None,
    target: float | None,
    no_improvement: str | None,
) -> list[Criterion]:
    from nrpa.search.stop import PlayoutLimit, ScoreLimit, SearchLimit, TimeLimit

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
    from nrpa.base.numerals import number_of, whole_of
    from nrpa.base.values import shortened
    from nrpa.search.stop import NoImprovement

    if text.endswith("s") and (seconds := number_of(text[:-1])) is not None:
        return NoImprovement(seconds=seconds)
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
    from nrpa.cli.display import comparison
    from nrpa.search.figures import figure_text

    rate = result.playouts / result.seconds if result.seconds > 0 else 0.0
    rows = [("instance", f"{problem.name} {result.instance}".rstrip())]
    for name, value in result.figures.items():
        rows.append((name, figure_text(problem.objective, name, value)))
    rows += [
        ("status", result.status),
        ("search", f"{result.playouts:,} playouts in {result.seconds:.2f} s ({rate:,.0f}/s), seed {result.seed}"),
    ]
    known = comparison(problem, result.score)
    if known:
        rows.insert(1 + len(result.figures), ("best known", known))
    lines = [f"{name:11} {text}" for name, text in rows]
    return "\n".join([*lines, problem.sketch(result.solution)])


def _check(
    problem_class: type[BaseProblem], solution: str, instance: str | None = None, *, draw: bool, **problem_options: Any
) -> None:
    from nrpa.base.plain import plain
    from nrpa.cli.claim import read_solution
    from nrpa.search.figures import figures_text

    if instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    problem = _problem(problem_class, instance, problem_options)
    claimed = read_solution(problem, solution)
    if claimed.sha256 and claimed.sha256 != problem.sha256:
        click.echo(f"note: {solution} was made for another instance than {problem.label}", err=True)
    verdict = problem.check(claimed.solution)
    faults = verdict.faults + claimed.contradictions(verdict)
    figures = figures_text(problem.objective, plain(verdict.figures))
    click.echo(("not valid" if faults else "valid") + (f": {figures}" if figures else ""))
    for fault in faults:
        click.echo(f"  {fault}")
    if draw and verdict.score is not None:
        click.echo(problem.draw(claimed.solution))
    if faults:
        click.get_current_context().exit(1)
