"""The experiments whose tables are in the pages of docs/, in small."""

import re

import pytest
from click.testing import CliRunner
from test_experiments import EXPERIMENTS

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


def test_drawn_scenarios_go_on(tmp_path, monkeypatch, capsys):
    """Each instance, seed and way has a row, which is not made again."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import drawn_scenarios

    for name, value in {"SIMULATED": 700, "UNSEEN": 5, "SEEDS": range(1, 3)}.items():
        monkeypatch.setattr(drawn_scenarios, name, value)
    table = tmp_path / "drawn.csv"
    drawn_scenarios.main(table)
    assert len(table.read_text().splitlines()) == 1 + 8 * 2 * 4
    written = capsys.readouterr().out.splitlines()
    drawn_scenarios.main(table)
    assert capsys.readouterr().out.splitlines() == written[-8:]


def test_a_bias_is_learned(tmp_path, monkeypatch, capsys):
    """Short ways are learned to be better, and each way is compared."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import learned_bias

    small = {"TRAINING": ["rc201.1"], "OTHERS": ["rc205.1"], "SEEDS": range(1, 3), "PLAYOUTS": 300}
    for name, value in small.items():
        monkeypatch.setattr(learned_bias, name, value)
    learned_bias.main(tmp_path / "learned.csv")
    assert len((tmp_path / "learned.csv").read_text().splitlines()) == 1 + 2 * 4
    printed = capsys.readouterr().out
    assert float(re.findall(r"weights \[ *(-?[0-9.]+)", printed)[0]) < 0
