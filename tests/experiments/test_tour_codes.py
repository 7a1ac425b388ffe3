"""The experiment of docs/codes-and-biases.md, in small."""

import re
from pathlib import Path

from click.testing import CliRunner

from nrpa.cli import main

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


def test_codes_and_biases_are_compared(tmp_path):
    """Every variant of the file runs, each with its own option."""
    out, toml = tmp_path / "out.csv", EXPERIMENTS / "tour-codes.toml"
    arguments = ["bench", str(toml), "--runs", "2", "--playouts", "256", "--workers", "1", "--out", str(out)]
    found = CliRunner().invoke(main.commands, arguments)
    assert found.exit_code == 0, found.output
    table = CliRunner().invoke(main.commands, ["table", str(tmp_path / "out.playouts.csv"), "--versus", "from-to"])
    assert table.exit_code == 0
    last = re.findall(r"^ +256 .*$", table.stdout, flags=re.M)[0].split()
    assert len({*zip(last[1::2], last[2::2], strict=True)}) == toml.read_text().count("[variants.") >= 8
