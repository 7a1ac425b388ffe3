from pathlib import Path

import pytest
from coins import COINS

EXPERIMENT = ("bench", "coins.py:Coins", "--variant", "A:level=1", "--runs", 2, "--playouts", 9, "--workers", 1, "-q")


@pytest.fixture
def records(nrpa_command, tmp_path):
    (tmp_path / "coins.py").write_text(COINS)
    assert nrpa_command(*EXPERIMENT, "--out", "a.csv")[0] == 0
    return tmp_path / "a.csv"


def test_report_writes_a_page(nrpa_command, records):
    """Of a problem of one's own, too: with its picture where the problem is named; from either of the two CSV files."""
    assert nrpa_command("report", "a.csv", "--out", "a.html") == (0, "", "")
    page = Path("a.html").read_text(encoding="utf-8")
    assert "mean coins of 2 runs" in page.lower()
    assert "say where it is with --problem" in page
    named = ("--problem", "coins.py:Coins", "--target", 3)
    assert nrpa_command("report", "a.playouts.csv", "--out", "b.html", *named) == (0, "", "")
    page = Path("b.html").read_text(encoding="utf-8")
    assert "No picture" not in page
    assert "with coins ≤ 3" in page
    assert "nrpa solve coins.py:Coins --solver gnrpa --level 1 --seed 1 --playouts" in page


def test_the_command_of_a_problem_with_a_name_of_its_own(nrpa_command, tmp_path):
    """It reads no instances, so its command names none, whatever it is called."""
    (tmp_path / "coins.py").write_text(COINS.replace("    objective", "    name = 'purse'\n    objective"))
    assert nrpa_command(*EXPERIMENT, "--out", "a.csv")[0] == 0
    assert nrpa_command("report", "a.csv", "--out", "a.html") == (0, "", "")
    assert "nrpa solve coins.py:Coins --solver" in Path("a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.csv", "--out", "a.html"), "none.json: no such file; expected the description"),
        (("a.csv", "--out", "no/a.html"), "no such directory"),
        (("a.csv", "--out", "a.csv"), "a.csv"),
        (("a.csv", "--out", "a.best.json"), "a.best.json"),
        (("a.csv", "--out", "coins.py", "--problem", "coins.py:Coins"), "coins.py"),
        (("-", "--out", "a.html"), "it cannot be standard input"),
        (("a.csv", "--out", "a.html", "--versus", "B"), "there is no variant 'B'"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, records, arguments, message):
    """Exit 2, and every file as it was."""
    before = {path: path.read_bytes() for path in records.parent.iterdir() if path.is_file()}
    code, out, err = nrpa_command("report", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert {path: path.read_bytes() for path in records.parent.iterdir() if path.is_file()} == before
