import json

import pytest

HEX = (
    "match",
    "hex",
    "--size",
    3,
    "--game-first",
    "none",
    "--first",
    "mcps:ref=5",
    "--second",
    "grave:ref=5,bias=1e-5",
)
QUICK = ("--playouts", 8, "--workers", 1)


def test_a_match_is_played_printed_and_goes_on(nrpa_command, tmp_path):
    """The table has shares with intervals; more games continue the same file, and another match is refused."""
    code, out, err = nrpa_command(*HEX, *QUICK, "--games", 2, "--out", "m.csv")
    assert code == 0
    assert "2 of 2 games" in err
    lines = out.splitlines()
    assert lines[0] == "hex 3x3, 8 playouts a move, 2 games"
    assert [line.split()[0] for line in lines[2:4]] == ["mcps:ref=5", "grave:ref=5,bias=1e-5"]
    before = (tmp_path / "m.csv").read_text()
    code, out, err = nrpa_command(*HEX, *QUICK, "--games", 3, "--out", "m.csv", "-q")
    assert (code, err) == (0, "")
    assert (tmp_path / "m.csv").read_text().startswith(before)
    assert len((tmp_path / "m.csv").read_text().splitlines()) == 4
    assert json.loads((tmp_path / "m.json").read_text())["match"]["second"]["amaf_bias"] == 1e-5
    code, out, err = nrpa_command(*HEX, "--playouts", 9, "--games", 3, "--out", "m.csv")
    assert (code, out) == (2, "")
    assert err == "error: --out m.csv: m.json beside it was made with playouts 8, not 9; choose another file\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "morpion", "5D", "--first", "mcps", "--second", "uct"), "morpion is a problem of one player"),
        ((*HEX, "--third", "uct"), "hex has 2 players here, not 3; leave the others out"),
        ((*HEX[:4], "--first", "nmcs", "--second", "uct"), "--first: player nmcs: nmcs does not choose moves of games"),
        ((*HEX[:4], "--first", "uct", "--second", "mcps:c=1"), "--second: player mcps:c=1: unknown option 'c'"),
        ((*HEX[:4], "--first", "uct", "--second", "uct:c=x"), "--second: player uct:c=x: c must be"),
        ((*HEX[:4], "--first", "uct", "--second", "uct:c"), "expected key=value, found 'c'"),
        ((*HEX[:4], "--first", "uct", "--second", "uct:size=4"), "size=4: makes other rules for one player"),
        ((*HEX, "--games", 0), "games must be a whole number of at least 1, not 0"),
        ((*HEX, "--workers", 0), "workers must be a whole number of at least 1, not 0"),
        ((*HEX, "--seed", -1), "seed must be a whole number of at least 0, not -1"),
        ((*HEX, "--playouts", 1), "playouts must be a whole number of at least 2, not 1"),
        ((*HEX, "--out", "m.json"), "expected the name of a CSV file"),
        ((*HEX, "--out", "no/m.csv"), "no such directory"),
        (("match", "hex", "--first", "uct"), "Missing option '--second'"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit code 2, a line on standard error, nothing written."""
    code, out, err = nrpa_command(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
