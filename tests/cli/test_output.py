import json
import sys
import warnings

import pytest

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
