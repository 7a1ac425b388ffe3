"""The command ``nrpa new``."""

from __future__ import annotations

import shlex
from importlib import resources
from pathlib import Path

import click

from nrpa.base.errors import InputError
from nrpa.base.values import path_shown
from nrpa.cli.completion import files
from nrpa.cli.output import echo
from nrpa.io.files import exists, require_writable, write_text

CLASS, SOLVER = "MyProblem", "MySolver"
# The file, its class, and the instance.
PLAIN = "prize_tour.py", "PrizeTour", "prize_tour.txt"
WITH_KERNELS = "knapsack_compiled.py", "CompiledKnapsack", "knapsack.txt"
OF_SOLVER = "iterated_greedy.py", "IteratedGreedy"


@click.command("new")
@click.argument("file", metavar="FILE.py", shell_complete=files)
@click.option("--kernels", is_flag=True, help="Kernels, for the last factor of three, not a class that compiles.")
@click.option("--solver", is_flag=True, help="A solver of your own, for all problems, in place of a problem.")
@click.option("--compiled", is_flag=True, hidden=True)
def new_command(file: str, kernels: bool, solver: bool, compiled: bool) -> None:
    """Write a problem, or a solver, of your own to begin with.

    FILE.py is a small problem that runs at once, with comments where your rules go, and FILE.txt an instance of it. It
    is a class in plain Python that compiles as it stands (--compile). With --solver, FILE.py is a solver that runs at
    once. Files that are there are left alone.
    """
    if compiled:
        raise InputError("--compiled is called --kernels now; without it, the class compiles as it stands")
    if kernels and solver:
        what = "docs/your-solver.md says how a solver has kernels"
        raise InputError(f"--kernels and --solver exclude each other; {what}")
    if not file.endswith(".py"):
        raise InputError(f"{path_shown(file)}: expected a name that ends in .py")
    instance = str(Path(file).with_suffix(".txt"))
    for path in (file, *([] if solver else [instance])):
        if exists(path):
            raise InputError(f"{path}: exists already; expected the name of a new file")
        require_writable(path)
    if solver:
        _write(file, *OF_SOLVER, SOLVER)
        echo(f"{file}: the class {SOLVER}")
        search = ["nrpa", "solve", "tsptw", "rc201.1", "--solver", f"{file}:{SOLVER}", "--time", "2"]
        echo(f"next: {shlex.join(search)}", err=True)
        return
    module, name, data = WITH_KERNELS if kernels else PLAIN
    _write(file, module, name, CLASS)
    write_text(instance, (resources.files("nrpa.examples") / data).read_text(encoding="utf-8"))
    echo(f"{file}: the class {CLASS}, {instance}: an instance of it")
    result = str(Path(file).with_suffix(".json"))
    search = ["nrpa", "solve", f"{file}:{CLASS}", instance, "--time", "2", "--json", result]
    echo(f"next: {shlex.join(search)}{'' if kernels else ' | faster: --compile'}", err=True)


def _write(file: str, module: str, name: str, wanted: str) -> None:
    """Write an example, its class under another name."""
    write_text(file, (resources.files("nrpa.examples") / module).read_text(encoding="utf-8").replace(name, wanted))
