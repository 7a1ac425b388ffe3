"""Standard streams that are closed, full or left, each in a process of its own."""

import json
import subprocess
import sys

import pytest

import nrpa

SOLVE = f"{sys.executable} -m nrpa solve tsptw rc201.1 --level 1 --playouts 300 --seed 1 --json out.json"


def shell(command, folder):
    return subprocess.run(
        command, shell=True, executable="bash", cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_standard_error_that_cannot_be_written_costs_nothing(tmp_path, redirection):
    """The search goes on; the report is printed, the JSON written, and the exit code 0."""
    found = shell(f"{SOLVE} {redirection}", tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert "status      playouts" in found.stdout
    assert nrpa.Result.from_json((tmp_path / "out.json").read_text()).playouts == 300


@pytest.mark.parametrize(
    "command",
    [
        "solve tsptw rc201.1 --level 1 --playouts 300 --seed 1 --json -",
        "diagnose tsptw rc201.1 --playouts 5 --json -",
        "choose hex --size 3 --playouts 5 --seed 1 --json -",
    ],
)
def test_a_file_called_minus_is_standard_output(tmp_path, command):
    """It has the JSON and nothing else; the report is on standard error, and there is no file of that name."""
    found = shell(f"{sys.executable} -m nrpa {command}", tmp_path)
    assert found.returncode == 0
    assert isinstance(json.loads(found.stdout), dict)
    assert len(found.stderr.splitlines()) > 2
    assert list(tmp_path.iterdir()) == []


def test_a_reader_of_a_file_called_minus_may_leave(tmp_path):
    """As that of the report does: the exit code is 0."""
    command = f"{sys.executable} -m nrpa solve tsptw rc201.1 --level 1 --playouts 30000 --seed 1 -q --json -"
    found = shell(f"set -o pipefail; {command} 2>/dev/null | true", tmp_path)
    assert found.returncode == 0


def test_a_reader_that_leaves_costs_nothing(tmp_path):
    """As `head -1` does after the first line: the JSON is written, and the exit code is 0."""
    found = shell(f"set -o pipefail; {SOLVE} 2>&1 | head -1", tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("tsptw rc201.1, gnrpa, seed 1")
    assert nrpa.Result.from_json((tmp_path / "out.json").read_text()).playouts == 300


def test_a_full_standard_output_is_one_sentence(tmp_path):
    """Exit code 2, and what was asked for in a file is there."""
    found = shell(f"{SOLVE} -q > /dev/full", tmp_path)
    assert (found.returncode, found.stderr) == (
        2,
        "error: standard output cannot be written (No space left on device)\n",
    )
    assert nrpa.Result.from_json((tmp_path / "out.json").read_text()).playouts == 300


def test_a_closed_standard_output_takes_no_file_along(tmp_path):
    """No file gets the number of the closed descriptor, so that nothing is printed into it."""
    assert shell(f"{SOLVE} >&- 2>&-", tmp_path).returncode == 0
    assert nrpa.Result.from_json((tmp_path / "out.json").read_text()).playouts == 300


@pytest.mark.parametrize("command", ["solve tsptw -", "check tsptw rc201.1 -"])
def test_a_closed_standard_input_is_one_sentence(tmp_path, command):
    """Exit code 2."""
    found = shell(f"{sys.executable} -m nrpa {command} <&-", tmp_path)
    assert (found.returncode, found.stderr) == (2, "error: standard input is closed; expected input there\n")
