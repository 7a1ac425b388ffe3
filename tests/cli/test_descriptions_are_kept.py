"""What describes an experiment or a match is not replaced by a result."""

import json

import pytest

SOLVE = ("solve", "tsptw", "rc201.1", "--level", 1, "--playouts", 50, "--seed", 1, "-q")


@pytest.mark.parametrize("what", ["experiment", "match"])
@pytest.mark.parametrize("option", ["--json", "--checkpoint"])
def test_a_description_is_kept(nrpa_command, tmp_path, what, option):
    """Exit code 2 and a sentence before the search; the records can still be continued."""
    text = json.dumps({what: {"problem": "tsptw"}})
    (tmp_path / "a.json").write_text(text)
    sentence = f"error: {option} a.json: describes the {what} recorded beside it; choose another file\n"
    assert nrpa_command(*SOLVE, option, "a.json") == (2, "", sentence)
    (tmp_path / "a.csv").write_text("variant")
    assert nrpa_command(*SOLVE, option, "a.json") == (2, "", sentence.replace("beside it", "in a.csv"))
    assert (tmp_path / "a.json").read_text() == text


@pytest.mark.parametrize("command", ["tune", "diagnose"])
def test_every_command_keeps_a_description(nrpa_command, tmp_path, command):
    """What a command found is not written in its place either."""
    (tmp_path / "a.json").write_text('{"experiment": {}}')
    code, _, err = nrpa_command(command, "tsptw", "rc201.1", "--json", "a.json")
    assert (code, err) == (
        2,
        "error: --json a.json: describes the experiment recorded beside it; choose another file\n",
    )


def test_a_result_where_the_description_belongs_is_named_with_the_records(nrpa_command):
    """It stays, and the sentence has both files."""
    nrpa_command(*SOLVE, "--json", "a.json")
    err = nrpa_command("bench", "tsptw", "rc201.1", "--playouts", 5, "--runs", 1, "--out", "a.csv")[2]
    what = "a.json beside it is not the description of an experiment, which belongs there"
    assert err == f"error: --out a.csv: {what}; choose another file\n"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"experiment": 5}', '{"match": {}, "solution": []}', "\0\xff"])
def test_other_files_are_replaced(nrpa_command, tmp_path, text):
    """What is no description is written anew, as any output."""
    (tmp_path / "a.json").write_text(text, encoding="latin-1")
    assert nrpa_command(*SOLVE, "--json", "a.json")[0] == 0
    assert "solution" in json.loads((tmp_path / "a.json").read_text())
