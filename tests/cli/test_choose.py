import json

import pytest

HEX = ("choose", "hex", "--size", 3, "--first", "none")


def test_the_move_is_printed_with_what_the_search_thinks_of_all(nrpa_command, tmp_path):
    """The position, the move, the effort, and a line for each legal move; the JSON says the same, and how to repeat."""
    command = (*HEX, "--solver", "grave", "--ref", 10, "--moves", "b2 a1", "--playouts", 40, "--seed", 3)
    code, out, err = nrpa_command(*command, "--json", "c.json")
    record = json.loads((tmp_path / "c.json").read_text())
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[2].split() == ["2", ".", "X", "."]
    assert lines[4] == f"player 1 of 2: {record['move']}"
    assert lines[5] == f"{record['reason']}; expected: {' '.join(record['variation'])}"
    assert lines[6].startswith(f"{record['playouts']} tree walks in ")
    assert {line.split()[0] for line in lines[8:]} == {each["move"] for each in record["opinions"]}
    assert (record["solver"], record["solver_options"]["ref"], record["options"]["size"]) == ("grave", 10, 3)
    assert (record["moves"], record["seed"], record["player"]) == (["b2", "a1"], 3, 0)
    assert nrpa_command(*command, "-q") == (0, record["move"] + "\n", "")


def test_the_choice_does_not_depend_on_who_shares_the_trees(nrpa_command, tmp_path):
    """Three trees, by one thread or by two."""
    for workers in (1, 2):
        shared = ("--trees", 3, "--workers", workers, "--playouts", 40, "--seed", 3, "--json", f"{workers}.json")
        assert nrpa_command(*HEX, *shared)[0] == 0
    one, two = (json.loads((tmp_path / f"{workers}.json").read_text()) for workers in (1, 2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert one["solver_options"]["trees"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("choose", "tsptw", "rc201.1"), "TSPTW is a problem of one player; expected a game"),
        (("choose", "chess"), "unknown problem 'chess'"),
        ((*HEX, "--solver", "nmcs"), "nmcs does not choose moves of games"),
        ((*HEX, "--solver", "uct", "--ref", 5), "--ref does not apply to the solver uct"),
        ((*HEX, "--moves", "b2,z9"), "move 2: 'z9' is not a legal move; expected one of a1"),
        ((*HEX, "--playouts", 0), "playouts must be a whole number of at least 2, not 0"),
        ((*HEX, "--time", 1, "--playouts", 5), "cannot both be the budget of a move"),
        ((*HEX, "--json", "no/c.json"), "no such directory"),
        ((*HEX, "--workers", 2), "workers share trees; expected at most as many as trees, 1, not 2"),
        ((*HEX, "--trees", 9, "--playouts", 10), "9 trees cannot share 10 playouts"),
        ((*HEX, "--mix", 0.5), "No such option '--mix'"),
        ((*HEX, "--nodes", 3), "nodes must be at least 10"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit code 2, a line on standard error, nothing written."""
    code, out, err = nrpa_command(*arguments)
    assert (code, out) == (2, "")
    assert message.lower() in err.lower()
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
