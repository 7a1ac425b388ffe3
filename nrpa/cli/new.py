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
