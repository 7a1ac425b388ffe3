import json
import subprocess
import sys
import warnings

import pytest

import nrpa
from nrpa.cli import output

EVIL = "a\x1b[2J\x07\r\x08\x9b\x85\u202e\u2028b"
SHOWN = r"a\x1b[2J\x07\r\x08\x9b\x85\u202e\u2028b"
SMALL = "3\n0 5 8\n15 0 15\n18 15 0\n0 100\n5 50\n0 60\n"


def test_control_characters_are_escaped(capsys):
    """In a line, line breaks as well; in lines, all but these."""
    output.echo(f"{EVIL}\nvalid")
    output.echo_lines(f"{EVIL}\nσ\tx", err=True)
    output.echo_over(EVIL)
    # Where there is no terminal, click leaves out what clears the line.
    assert capsys.readouterr() == (f"{SHOWN}\\nvalid\n", f"{SHOWN}\nσ\\tx\n\r{SHOWN}")


def test_tracebacks_and_warnings(capsys):
    """What a problem of the user's own raises or warns of may quote a file."""
    try:
        raise ValueError(EVIL)
    except ValueError:
        output.show_exception(*sys.exc_info())
    output.show_warning(UserWarning(EVIL), UserWarning, "file.py", 1)
    assert capsys.readouterr().err.splitlines()[-2:] == [f"ValueError: {SHOWN}", f"file.py:1: UserWarning: {SHOWN}"]


@pytest.fixture
def evil(tmp_path):
    """Files of which names, labels and figures hold control characters."""
    name = f"{EVIL}\nvalid: cost 1"
    (tmp_path / "small").write_text(SMALL)
    (tmp_path / name).write_text(SMALL)
    record = {"problem": "tsptw", "sha256": "0", "solution": [1, 2], "figures": {"cost": name}, "score": name}
    (tmp_path / "figures.json").write_text(json.dumps(record))
    (tmp_path / "cities.json").write_text(json.dumps({**record, "solution": [name]}))
    (tmp_path / "problem.json").write_text(json.dumps({**record, "problem": name}))
    rows = "".join(f'"{EVIL}{variant}","{EVIL}",{seed},0.01,1,{seed}\n' for variant in "AB" for seed in (1, 2))
    (tmp_path / "a.csv").write_text(f"variant,instance,seed,seconds,playouts,score\n{rows}", newline="")
    objective = {"name": name, "sign": 1, "digits": 0, "tie_break": 0}
    (tmp_path / "a.json").write_text(json.dumps({"objective": objective}))
    return name


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tsptw", "{evil}", "--level", 1, "--playouts", 5, "--seed", 1),
        ("check", "tsptw", "{evil}", "figures.json"),
        ("check", "tsptw", "small", "figures.json"),
        ("check", "tsptw", "small", "cities.json"),
        ("check", "tsptw", "small", "problem.json"),
        ("check", "tsptw", "small", "none{evil}"),
        ("solve", "tsptw", "small", "--{evil}"),
        ("table", "a.csv", "--target", 1, "--versus", f"{EVIL}A"),
        ("plot", "a.csv", "--out", "a.png"),
        ("codes", "tsptw", "{evil}", "--games", 5),
        ("choose", "hex", "--moves", "{evil}"),
        ("list", "{evil}"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(nrpa_command, evil, arguments):
    """Nor a line that a name forges."""
    with warnings.catch_warnings():
        _, out, err = nrpa_command(*(str(each).replace("{evil}", evil) for each in arguments))
    assert (out + err).replace("\n", "").isprintable()
    assert not any(line.startswith("valid: cost 1") for line in (out + err).splitlines())
    assert r"\x1b" in out + err


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
