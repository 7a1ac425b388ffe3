"""Run the commands that a page shows, in a folder of their own and with small budgets."""

import os
import re
import shlex
import tempfile
from pathlib import Path

import click
from click.testing import CliRunner

from nrpa.cli.main import COMMANDS, commands

ROOT = Path(__file__).parent.parent
LIMITS = {"--time": 0.1, "--playouts": 200, "--games": 2, "--runs": 2, "--trials": 2, "--fresh-runs": 1}
SEARCHES = ("solve", "choose", "match", "play", "bench")
VEHICLES = """my

VEHICLE
NUMBER     CAPACITY
  2          2

CUSTOMER
CUST NO.   XCOORD.   YCOORD.    DEMAND   READY TIME   DUE DATE   SERVICE TIME

    0          0       0          0        0         100           0
    1          3       4          1        0          50           0
    2          6       8          1        0          60           0
"""
FILES = {
    "binpack5.txt": "1\n t60_00\n 100 4 2\n60 50 40 30\n",
    "game.txt": "a1 a7 b1 b7 c1 c7 d1 d7 e1 e7 f1 f7 g1\n",
    "my.txt": "4\n100\n60\n50\n40\n30\n",
    "my.fasta": ">mine\nGGGGAAAACCCC\n",
    "my.vrp": VEHICLES,
}


def enter_folder(namespace):
    """Go to a new folder with the examples and instances of the checkout, and the files that pages take for granted."""
    namespace["folder"], namespace["before"] = tempfile.TemporaryDirectory(), os.getcwd()
    folder = Path(namespace["folder"].name)
    for name in ("examples", "instances"):
        (folder / name).symlink_to(ROOT / name)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    os.chdir(folder)


def leave_folder(namespace):
    """Go back, and remove the folder."""
    os.chdir(namespace["before"])
    namespace["folder"].cleanup()


def run_commands(example):
    """Run each command of a block; what needs another machine, an installation or hours is looked at only."""
    for line in example.parsed.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if "nrpa" in words:
            run_nrpa(words[words.index("nrpa") + 1 :], needs_others="mpiexec" in words)
        elif words[:1] == ["python"]:
            look_at_script(words[1:])


def run_nrpa(words, needs_others):
    """Run the command with small budgets, or only read its options where it needs a cluster or a long experiment."""
    if needs_others or "tcp://" in " ".join(words) or any(word.startswith("experiments/") for word in words):
        name, *arguments = words
        command = commands.get_command(click.Context(commands), name)
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), arguments.pop(0))
        command.make_parser(click.Context(command)).parse_args(arguments)
        return
    result = CliRunner().invoke(commands, with_small_budgets(words), input="quit\n")
    # What is found with so small a budget need not be valid.
    assert result.exit_code in ((0, 1) if words[0] == "check" else (0,)), (
        f"nrpa {shlex.join(words)}\n{result.output}\n{result.exception!r}"
    )


def with_small_budgets(words):
    """Return the words of a command with little time, few playouts, games and runs, and one process."""
    words = list(words)
    for k, word in enumerate(words[:-1]):
        if word in LIMITS:
            words[k + 1] = str(min(float(words[k + 1]), LIMITS[word])).removesuffix(".0")
    if words[0] in SEARCHES and words[0] in COMMANDS and "--time" not in words and "--playouts" not in words:
        words += ["--playouts", str(LIMITS["--playouts"])]
    if words[0] in ("bench", "match") and "--workers" not in words:
        words += ["--workers", "1"]
    return words


def look_at_script(words):
    """Expect the script to be there, and it or a module of its folder that it imports to know the options."""
    path = next((word for word in words if word.endswith(".py")), None)
    if path is None:
        return
    text = (ROOT / path).read_text(encoding="utf-8")
    for other in (ROOT / path).parent.glob("*.py"):
        if re.search(rf"^from {other.stem} import", text, flags=re.M):
            text += other.read_text(encoding="utf-8")
    for word in words:
        assert not word.startswith("--") or re.search(f'"{word}"', text), f"{path} has no option {word}"
