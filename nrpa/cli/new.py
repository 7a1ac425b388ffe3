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
# The file, its class, and the instance.
PLAIN = "prize_tour.py", "PrizeTour", "prize_tour.txt"
WITH_KERNELS = "knapsack_compiled.py", "CompiledKnapsack", "knapsack.txt"


@click.command("new")
@click.argument("file", metavar="FILE.py", shell_complete=files)
@click.option("--kernels", is_flag=True, help="Kernels, for the last factor of three, not a class that compiles.")
@click.option("--compiled", is_flag=True, hidden=True)
def new_command(file: str, kernels: bool, compiled: bool) -> None:
    """Write a problem of your own to begin with.

    FILE.py is a small problem that runs at once, with comments where your rules go, and FILE.txt an instance of it. It
    is a class in plain Python that compiles as it stands (--compile). Files that are there are left alone.
    """
    if compiled:
        raise InputError("--compiled is called --kernels now; without it, the class compiles as it stands")
    if not file.endswith(".py"):
        raise InputError(f"{path_shown(file)}: expected a name that ends in .py")
    instance = str(Path(file).with_suffix(".txt"))
    for path in (file, instance):
        if exists(path):
            raise InputError(f"{path}: exists already; expected the name of a new file")
        require_writable(path)
    module, name, data = WITH_KERNELS if kernels else PLAIN
    examples = resources.files("nrpa.examples")
    write_text(file, (examples / module).read_text(encoding="utf-8").replace(name, CLASS))
    write_text(instance, (examples / data).read_text(encoding="utf-8"))
    echo(f"{file}: the class {CLASS}, {instance}: an instance of it")
    result = str(Path(file).with_suffix(".json"))
    search = ["nrpa", "solve", f"{file}:{CLASS}", instance, "--time", "2", "--json", result]
    echo(f"next: {shlex.join(search)}{'' if kernels else ' | faster: --compile'}", err=True)
