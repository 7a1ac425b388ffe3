"""The commands around a search: ``nrpa list``, ``nrpa new`` and ``nrpa cache``."""

from __future__ import annotations

import shlex
from importlib import resources
from pathlib import Path

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import aligned, path_shown
from nrpa.cli.completion import files
from nrpa.cli.output import echo, echo_lines
from nrpa.io.files import exists, require_writable, write_text
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
        entries = table.entries().values()
        width = max(len(entry.name) for entry in entries)
        for entry in entries:
            echo(f"  {entry.name:{width}}  {entry.summary}")
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


CLASS = "MyProblem"


@click.command("new")
@click.argument("file", metavar="FILE.py", shell_complete=files)
@click.option(
    "--compiled", is_flag=True, help="A compiled problem, about a hundred times as fast, in place of plain Python."
)
def new_command(file: str, compiled: bool) -> None:
    """Write a problem of your own to begin with.

    FILE.py is a small knapsack that runs at once, with comments where your rules go, and FILE.txt an instance of it.
    Files that are there are left alone.
    """
    if not file.endswith(".py"):
        raise InputError(f"{path_shown(file)}: expected a name that ends in .py")
    instance = str(Path(file).with_suffix(".txt"))
    for path in (file, instance):
        if exists(path):
            raise InputError(f"{path}: exists already; expected the name of a new file")
        require_writable(path)
    module, name = ("knapsack_compiled", "CompiledKnapsack") if compiled else ("knapsack", "Knapsack")
    examples = resources.files("nrpa.examples")
    write_text(file, (examples / f"{module}.py").read_text(encoding="utf-8").replace(name, CLASS))
    write_text(instance, (examples / "knapsack.txt").read_text(encoding="utf-8"))
    echo(f"{file}: the class {CLASS}, {instance}: an instance of it")
    result = str(Path(file).with_suffix(".json"))
    search = ["nrpa", "solve", f"{file}:{CLASS}", instance, "--time", "2", "--json", result]
    echo(f"next: {shlex.join(search)}", err=True)


code_cache = lazy("nrpa.machine.code_cache")


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove it all; it is compiled anew when it is needed.")
def cache_command(clear: bool) -> None:
    """Show where machine code is kept, and how much of it there is.

    The folder is the user's own, or the one that NUMBA_CACHE_DIR names. Other files in it are left alone.
    """
    sizes = code_cache.sizes_on_disk()
    if clear:
        try:
            code_cache.clear()
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be removed ({error.strerror})") from None
    files, megabytes = f"{len(sizes):,} file{'s' * (len(sizes) != 1)}", sum(sizes.values()) / 2**20
    echo(f"{code_cache.cache_folder()}: {'removed ' * clear}{files}, {megabytes:,.1f} MiB")
