import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from nrpa.cli.main import commands


def offered(*words):
    *before, incomplete = words
    items = ShellComplete(commands, {}, "nrpa", "_NRPA_COMPLETE").get_completions(before, incomplete)
    return [item.value if item.type == "plain" else f"({item.type})" for item in items]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("so",), ["solve"]),
        (("solve", "ts"), ["tsptw"]),
        (("check", "same"), ["samegame"]),
        (("solve", "mine/"), ["(file)"]),
        (("solve", "tsptw", "rc206"), ["rc206.1", "rc206.2", "rc206.3", "rc206.4"]),
        (("solve", "tsptw", "mine/"), ["(file)"]),
        (("solve", "tsptw", "rc206.1", "--solver", "n"), ["nrpa", "nmcs"]),
        (("solve", "tsptw", "rc206.1", "--moves", "l"), ["lookahead"]),
        (("solve", "tsptw", "rc206.1", "--json", "o"), ["(file)"]),
        (("solve", "tsptw", "rc206.1", "--check"), ["--checkpoint"]),
        (("solve", "nosuch", "rc2"), ["(file)"]),
        (("check", "tsptw", "rc206.1", "o"), ["(file)"]),
        (("bench", "ts"), ["tsptw"]),
        (("bench", "tsptw", "rc206.1", "rc206.2"), ["rc206.2"]),
        (("choose", "hex", "--solver", "gr"), ["grave"]),
        (("report", "a"), ["(file)"]),
        (("tune", "tsptw", "rc206"), ["rc206.1", "rc206.2", "rc206.3", "rc206.4"]),
        (("tune", "tsptw", "rc206.1", "mine/"), ["(file)"]),
        (("tune", "tsptw", "rc206.1", "--holdout", "rc206.2"), ["rc206.2"]),
        (("tune", "tsptw", "rc206.1", "--out", "o"), ["(file)"]),
        (("diagnose", "tsptw", "--json", "o"), ["(file)"]),
        (("match", "hex", "--out", "o"), ["(file)"]),
        (("choose", "hex", "--json", "o"), ["(file)"]),
    ],
)
def test_a_shell_offers_what_can_be_typed(words, expected, capsys):
    """Problems, instances, solvers, values and files; an unknown problem is no error while somebody types."""
    assert offered(*words) == expected
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_command_prints_what_a_shell_needs(shell):
    """As the documentation says."""
    program = "from nrpa.cli.main import main; import sys; sys.argv[0] = 'nrpa'; main()"
    environment = {"_NRPA_COMPLETE": f"{shell}_source", "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "_NRPA_COMPLETE" in found.stdout
