"""What is shown before anything is solved, and how little of the library it takes."""

import subprocess
import sys

import pytest
from click.testing import CliRunner
from user_problems import EXAMPLES

from nrpa.cli.main import COMMANDS, commands

HEAVY = ("llvmlite", "matplotlib", "mcp", "numba", "optuna", "pydantic", "rich", "scipy")

RUN = f"""
import sys
from nrpa.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("LOADED", *(name for name in {HEAVY} if name in sys.modules))
"""


QUICK = (
    "--help",
    "--version",
    "list",
    "list rna",
    "solve --help",
    "solve tsptw --help",
    "check tsptw --help",
    "choose hex --help",
    "match hex --help",
    "play hex --help",
    "tune tsptw --help",
    f"solve {EXAMPLES / 'knapsack.py'} --help",
)


@pytest.mark.parametrize("arguments", QUICK)
def test_help_and_list_are_quick(arguments):
    """They load neither the compiler nor SciPy nor matplotlib."""
    command = [sys.executable, "-c", RUN, *arguments.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "LOADED", done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_begins_as_the_overview_says(name):
    """The line in the overview, which is written without importing the command, is the first of its help."""
    runner = CliRunner()
    summary = COMMANDS[name]
    assert summary in runner.invoke(commands, ["--help"]).output
    assert runner.invoke(commands, [name, "--help"]).output.splitlines()[2].strip() == summary
