"""The command ``nrpa list``."""

from __future__ import annotations

import click

from nrpa.base.values import aligned
from nrpa.cli.output import echo, echo_lines
from nrpa.io.source import bundled
from nrpa.registry import problem_class, problems, solvers


@click.command("list")
@click.argument("problem", required=False)
def list_command(problem: str | None) -> None:
    """List problems, solvers and instances.

    Without PROBLEM: the problems and the solvers, and how many instances come with each problem. With PROBLEM: these
    instances, each with its best-known value and who proved it optimal.
    """
    if problem is not None:
        if not _list_instances(problem):
            echo(f"no instance of {problem_class(problem).name} comes with it")
        return
    for title, table in (("Problems", problems), ("\nSolvers", solvers)):
        echo_lines(title)
        described = dict(table.described())
        width = max(map(len, described))
        for name, summary in described.items():
            echo(f"  {name:{width}}  {summary}")
    counts = [f"{name} {count}" for name in problems.bundled if (count := len(bundled(name)))]
    echo_lines(f"\nInstances that come with them; `nrpa list PROBLEM` names them\n  {', '.join(counts)}")
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
