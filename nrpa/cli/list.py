"""The command ``nrpa list``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import click

from nrpa.base.errors import InputError
from nrpa.base.options import Terms, terms_of
from nrpa.base.values import LARGEST_WHOLE, aligned
from nrpa.cli import options
from nrpa.cli.output import echo, echo_lines
from nrpa.io.files import write_json
from nrpa.io.source import bundled
from nrpa.registry import Entry, first_line, problem_class, problems, solver_class, solvers, summary_of

TABLES: Any = {"problems": (problems, problem_class), "solvers": (solvers, solver_class)}

JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


class Listed(NamedTuple):
    """A problem or a solver, as JSON can hold it."""

    name: str
    summary: str
    package: str  # the one that it comes with; empty for a file of one's own
    options: dict[str, Any]  # by name, each as a JSON Schema with its default
    fault: str | None  # why it cannot be used, if it cannot


@click.command("list", params=[options.output("--json", "Write the list as JSON, with all options; - for stdout.")])
@click.argument("problem", required=False)
def list_command(problem: str | None, json: str | None) -> None:
    """List problems, solvers and instances.

    Without PROBLEM: the problems and the solvers, and how many instances come with each problem. With PROBLEM: these
    instances, each with its best-known value and who proved it optimal.
    """
    if json is not None:
        write_json(json, listed_all() if problem is None else listed_problem(problem))
    elif problem is None:
        _list_all()
    elif not _list_instances(problem):
        echo(f"no instance of {problem_class(problem).name} comes with it")


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
    instances = [
        {"name": row.name, "size": row.size, "best_known": row.best_known.value, "proven_by": row.best_known.proven_by}
        for row in bundled(problem.bundled_with().name).values()
    ]
    return {
        **_listed(entry, problem_class)._asdict(),
        "objective": {"name": problem.objective.name, "sign": problem.objective.sign},
        "players": problem.players,
        "forms": [*problem.forms],
        "instances": instances,
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
    schemas = {name: option_schema(each) for name, each in terms.items()}
    return Listed(entry.name, first_line(found) if entry.package else entry.summary, package, schemas, None)


def option_schema(terms: Terms) -> dict[str, Any]:
    """Return the JSON Schema of the values of an option of a solver or a problem.

    >>> option_schema(Terms(4, "The depth of nesting", most=20, none="auto"))
    {'description': 'The depth of nesting', 'default': 4, 'type': ['integer', 'null'], 'minimum': 1, 'maximum': 20}
    """
    kind: Any = JSON_TYPES[type(terms.default)]
    schema: dict[str, Any] = {"description": terms.meaning, "default": terms.default}
    schema["type"] = [kind, "null"] if terms.none else kind
    if terms.choices:
        schema["enum"] = [*terms.choices]
    if kind == "integer":
        schema["minimum"] = 1 if terms.least is None else int(terms.least)
    elif kind == "number" and terms.least != float("-inf"):
        schema |= {"exclusiveMinimum": 0} if terms.least is None else {"minimum": terms.least}
    if kind in ("integer", "number") and terms.most not in (None, LARGEST_WHOLE):
        schema["maximum"] = terms.most
    if terms.by_level:
        schema = {**schema, "type": [kind, "array"], "items": {"type": kind}}
    return schema


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


def _list_instances(name: str) -> bool:
    objective = problem_class(name).objective
    rows = [
        (row.name, str(row.size), objective.text(row.best_known.value), row.best_known.proven_by or "nobody yet")
        for row in bundled(name).values()
    ]
    if rows:
        echo_lines(f"\nInstances of {name}")
        header = ("instance", "size", f"best {objective.name}", "proven optimal by")
        for line in aligned([header, *rows], left=(0, 3)).split("\n"):
            echo(f"  {line}".rstrip())
    return bool(rows)
