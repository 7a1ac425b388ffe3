"""The experiments whose tables are in the pages of docs/, in small."""

import re

import pytest
from click.testing import CliRunner
from test_experiments import EXPERIMENTS, script

from nrpa.cli import main


@pytest.mark.parametrize(("name", "first"), [("tour-codes", "from-to"), ("line-codes", "good")])
def test_codes_and_biases_are_compared(tmp_path, name, first):
    """Every variant of the file runs, each with its own option."""
    out = tmp_path / "out.csv"
    toml = str(EXPERIMENTS / f"{name}.toml")
    arguments = ["bench", toml, "--runs", "2", "--playouts", "256", "--workers", "1", "--out", str(out)]
    found = CliRunner().invoke(main.commands, arguments)
    assert found.exit_code == 0, found.output
    table = CliRunner().invoke(main.commands, ["table", str(tmp_path / "out.playouts.csv"), "--versus", first])
    assert table.exit_code == 0
    last = re.findall(r"^ +256 .*$", table.stdout, flags=re.M)[0].split()
    variants = (EXPERIMENTS / f"{name}.toml").read_text().count("[variants.")
    assert len({*zip(last[1::2], last[2::2], strict=True)}) == variants >= 8


def test_noise(tmp_path):
    """A row for each way; the more scenarios are kept, the fewer playouts; a page without the marks is refused."""
    found = script("line_noise.py", "--runs", 2, "--lines", 100, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    rows = [line.split("|")[1:3] for line in found.stdout.splitlines()]
    assert [cell.strip() for _, cell in rows] == ["100", "100", "20", "5", "2"]
    (tmp_path / "page.md").write_text("nothing")
    wrong = script("line_noise.py", "--page", "page.md", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_the_steps_from_python_to_a_bias(tmp_path):
    """The same playouts find the same in plain Python and compiled; the table goes into the page."""
    (tmp_path / "page.md").write_text("<!-- begin steps -->\n<!-- end steps -->\n")
    found = script("three_steps.py", "--runs", 2, "--seconds", 0.02, "--page", "page.md", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    last = [line.split("|")[4].strip() for line in found.stdout.splitlines()[2:]]
    assert last[0] == last[2]
    assert last[1] == last[3] != last[4]
    assert found.stdout.strip() in (tmp_path / "page.md").read_text()
