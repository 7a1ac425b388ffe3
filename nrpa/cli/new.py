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

# The file, its class, what that is called, and the instance.
PLAIN = "prize_tour.py", "PrizeTour", "MyProblem", "prize_tour.txt"
WITH_KERNELS = "knapsack_compiled.py", "CompiledKnapsack", "MyProblem", "knapsack.txt"
OF_SOLVER = "iterated_greedy.py", "IteratedGreedy", "MySolver", ""


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
        raise InputError("--kernels and --solver exclude each other; docs/your-solver.md says how a solver has kernels")
    if not file.endswith(".py"):
        raise InputError(f"{path_shown(file)}: expected a name that ends in .py")
    module, name, wanted, data = OF_SOLVER if solver else WITH_KERNELS if kernels else PLAIN
    examples = resources.files("nrpa.examples")
    texts = {file: (examples / module).read_text(encoding="utf-8").replace(name, wanted)}
    instance = str(Path(file).with_suffix(".txt"))
    if data:
        texts[instance] = (examples / data).read_text(encoding="utf-8")
    for path in texts:
        if exists(path):
            raise InputError(f"{path}: exists already; expected the name of a new file")
        require_writable(path)
    for path, text in texts.items():
        write_text(path, text)
    echo(f"{file}: the class {wanted}" + f", {instance}: an instance of it" * bool(data))
    own, result = f"{file}:{wanted}", str(Path(file).with_suffix(".json"))
    words = ["tsptw", "rc201.1", "--solver", own, "--time", "2"]
    if not solver:
        words = [own, instance, "--time", "2", "--json", result]
    faster = "" if kernels or solver else " | faster: --compile"
    echo(f"next: nrpa solve {shlex.join(words)}{faster}", err=True)
