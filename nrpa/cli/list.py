"""The command ``nrpa list``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from nrpa.base.errors import InputError
from nrpa.base.json_schema import option_schema
from nrpa.base.options import terms_of
from nrpa.base.values import aligned
from nrpa.cli import options
from nrpa.cli.output import echo, echo_lines
from nrpa.io.files import write_json
from nrpa.io.source import bundled
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import Entry, first_line, problem_class, problems, solver_class, solvers, summary_of

TABLES: Any = {"problems": (problems, problem_class), "solvers": (solvers, solver_class)}


class Listed(NamedTuple):
    """A problem or a solver.

    Attributes
    ----------
    name, summary : str
        Its name at the command line, and what it is.
    package : str
        The package that it comes with; empty for a file of one's own.
    options : dict
        Its options by name, each as a JSON Schema with its default.
    fault : str or None
        Why it cannot be used, if it cannot.
    """

    name: str
    summary: str
    package: str
    options: dict[str, Any]
    fault: str | None


class ListedInstance(NamedTuple):
    """An instance that comes with a problem.

    Attributes
    ----------
    name : str
        Its name at the command line.
    size : int
        How large it is, in the problem's own terms.
    best_known : float
        The best published value.
    proven_by : str
        Who proved it optimal; empty if nobody did.
    """

    name: str
    size: int
    best_known: float
    proven_by: str


@click.command("list", params=[options.output("--json", "Write the list as JSON, with all options; - for stdout.")])
@click.argument("problem", required=False)
def list_command(problem: str | None, json: str | None) -> None:
    """List problems, solvers and instances.

    Without PROBLEM: the problems and the solvers, and how many instances come with each problem. With PROBLEM: these
    instances, each with its best-known value and who proved it optimal.
    """
    if json is not None:
        write_json(json, listed_all() if problem is None else listed_problem(problem))
    elif problem is not None:
        _list_instances(problem)
    else:
        _list_all()


def listed_all() -> dict[str, Any]:
    """Return all problems and solvers, as JSON can hold it."""
    found = {}
    for title, (table, load) in TABLES.items():
        found[title] = [_listed(entry, load)._asdict() for entry in table.entries().values()]
    return found


def listed_problem(name: str) -> dict[str, Any]:
    """Return a problem with the instances that come with it, as JSON can hold it."""
    problem = problem_class(name)
    entry = problems.entries().get(name) or Entry(name, "", summary_of(name))
    return {
        **_listed(entry, problem_class)._asdict(),
        "objective": {"name": problem.objective.name, "sign": problem.objective.sign},
        "players": problem.players,
        "forms": [*problem.forms],
        "instances": [row._asdict() for row in _instances(problem)],
    }


def _listed(entry: Entry, load: Callable[[str], Any]) -> Listed:
    """Return an entry, imported; one of another package says itself what it is."""
    package = entry.package or ("nrpa" if entry.where else "")
    try:
        found = load(entry.name)
    except InputError as error:
        return Listed(entry.name, entry.summary, package, {}, str(error))
    of_problem = getattr(found, "cli_options", None)
    terms = terms_of(found) if of_problem is None else {option.name: option.terms for option in of_problem}
    options = {name: option_schema(each) for name, each in terms.items()}
    return Listed(entry.name, first_line(found) if entry.package else entry.summary, package, options, None)


def _instances(problem: type[BaseProblem]) -> list[ListedInstance]:
    rows = bundled(problem.bundled_with().name).values()
    return [ListedInstance(row.name, row.size, row.best_known.value, row.best_known.proven_by) for row in rows]


def _list_all() -> None:
    for title, (table, load) in TABLES.items():
        echo_lines(title.capitalize())
        width = max(map(len, table.entries()))
        for entry in table.entries().values():
            summary = entry.summary
            if entry.package:
                found = _listed(entry, load)
                summary = f"unusable: {found.fault}" if found.fault else f"{found.summary} ({entry.package})".lstrip()
            echo(f"  {entry.name:{width}}  {summary}")
        echo_lines("")
    counts = [f"{name} {count}" for name in problems.bundled if (count := len(bundled(name)))]
    echo_lines(f"Instances that come with them; `nrpa list PROBLEM` names them\n  {', '.join(counts)}")
    for sentence in (*problems.left_out(), *solvers.left_out()):
        echo(f"note: {sentence}", err=True)


def _list_instances(name: str) -> None:
    problem = problem_class(name)
    rows = [("instance", "size", f"best {problem.objective.name}", "proven optimal by")]
    for row in _instances(problem):
        best = problem.objective.text(row.best_known)
        rows.append((row.name, str(row.size), best, row.proven_by or "nobody yet"))
    if len(rows) == 1:
        echo(f"no instance of {problem.name} comes with it")
        return
    echo_lines(f"\nInstances of {name}")
    for line in aligned(rows, left=(0, 3)).split("\n"):
        echo(f"  {line}".rstrip())
