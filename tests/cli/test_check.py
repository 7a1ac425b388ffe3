"""How commands take games: ``nrpa check`` draws them, others refuse them."""

import json
import os
import sys

import pytest

import nrpa
from nrpa.bench.records import read_best
from nrpa.cli.main import main


@pytest.fixture
def nrpa_command(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["nrpa", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "wargame", "--units", 0, "game.txt"), "units must be a whole number of at least 1, not 0"),
        (("check", "hex", "--first", "z9", "game.txt"), "first must be none or a cell from a1 to g7, not 'z9'"),
        (("solve", "hex", "--playouts", 5), "hex is a game for 2 players; a search for the best sequence of moves"),
        (("bench", "nogo", "--playouts", 5, "--variant", "a:solver=nrpa", "--out", "n.csv"), "nogo is a game for 2"),
    ],
)
def test_what_cannot_be_is_one_sentence(nrpa_command, arguments, message):
    """Exit code 2, no traceback, no file."""
    code, _, err = nrpa_command(*arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not os.listdir()


def test_a_game_is_checked_and_drawn(nrpa_command, tmp_path):
    """By the names of its moves; a game that has not ended is drawn, too."""
    (tmp_path / "won.txt").write_text("b1 a1 b2 a2 b3")
    (tmp_path / "open.txt").write_text("b1 a1")
    code, out, _ = nrpa_command("check", "hex", "--size", 3, "--first", "none", "won.txt", "--draw")
    assert (code, out.splitlines()[0]) == (0, "valid: moves 5, rewards [1.0, 0.0]")
    assert out.splitlines()[2] == " 1  O X ."
    code, out, _ = nrpa_command("check", "hex", "--size", 3, "--first", "none", "open.txt", "--draw")
    assert code == 1
    assert "after 2 moves the game has not ended" in out
    assert " 1  O X ." in out
    check = ("check", "hex", "--size", 3, "--first", "none", "open.txt", "--plot")
    assert nrpa_command(*check, "open.png")[0] == 1
    assert (tmp_path / "open.png").read_bytes()[:4] == b"\x89PNG"
    code, _, err = nrpa_command(*check, "open.nothing")
    assert (code, err[:41]) == (2, "error: open.nothing: unknown picture form")
    (tmp_path / "wrong.txt").write_text("b1 b1")
    code, _, err = nrpa_command("check", "hex", "wrong.txt", "--plot", "wrong.png")
    assert code == 2
    assert "the solution cannot be drawn: move 2: 'b1' is not a legal move" in err


def test_games_are_listed(nrpa_command):
    """All games of the permutation paper, without instances."""
    _, out, _ = nrpa_command("list")
    for name in ("atarigo", "breakthrough", "gomoku", "hex", "investment", "knightthrough", "nogo", "wargame"):
        assert f"  {name} " in out
    assert nrpa_command("list", "hex")[1] == "no instance of hex comes with it\n"
    assert nrpa.Hex.reads_instances() is False


def test_the_best_solutions_of_an_experiment_are_checked(nrpa_command, tmp_path):
    """The best of an instance is taken, of whichever variant; an instance that is not in the file is named."""
    for seed in (1, 2):
        given = ("--runs", 1, "--seed", seed, "--playouts", 40, "--variant", f"v{seed}:solver=nrpa", "--out", "b.csv")
        nrpa_command("bench", "tsptw", "rc201.1", "rc202.2", *given)
    scores = [run.result.score for run in read_best(tmp_path / "b.best.json") if run.instance == "rc202.2"]
    assert len(set(scores)) == 2
    nrpa_command("check", "tsptw", "rc202.2", "b.best.json", "--json", "c.json")
    assert json.loads((tmp_path / "c.json").read_text())["score"] == max(scores)
    code, _, err = nrpa_command("check", "tsptw", "rc203.1", "b.best.json")
    assert (code, err) == (2, "error: b.best.json: holds no solution of rc203.1\n")


def test_a_record_that_says_what_is_not_so(nrpa_command, tmp_path):
    """That it is valid, or not; or of another instance: each ends with exit status 1."""
    (tmp_path / "items").write_text("3 10 6 4 3")
    right = {"problem": "binpacking", "solution": [[6, 4], [3]], "valid": True}
    for changes, said in (
        ({}, ""),
        ({"valid": False}, "  the file says that it is not valid"),
        ({"solution": [[6, 4]]}, "  the file says that it is valid"),
        ({"sha256": "0" * 64}, "  the file is of another instance than items: its sha256 is another"),
    ):
        (tmp_path / "out.json").write_text(json.dumps(right | changes))
        code, out, _ = nrpa_command("check", "binpacking", "items", "out.json")
        assert (code, said in out.splitlines()) == ((1, True) if said else (0, False))


PAIR = "2 9 1\n0 0 0 0 0 99 0 0 0\n1 3 4 1 0 99 0 0 2\n2 3 4 -1 0 99 0 1 0\n"
TOUR = "TYPE : TOUR\nTOUR_SECTION\n2\n3\n1\n-1\nEOF\n"


@pytest.mark.parametrize(
    ("problem", "instance", "solution", "said"),
    [
        ("jobshop", "2 2\n0 3 1 2\n0 2\n", "0 3\n3\n", "valid: makespan 5"),
        ("strip", "2\n6\n1 2 4\n2 6 1\n", "0 0 2 4\n0 4 6 1\n", "valid: height 5"),
        ("rectangles", "1\n6 4\n1 2 4\n", "1 0 0 2 4\n", "valid: bins 1"),
        ("boxes", "1\n1 0\n6 4 4\n1\n1 3 1 2 1 2 1 4\n", "1 0 0 0 3 2 2 1 1 1\n", "valid: filled 12.50, boxes 1"),
        ("tsptw", "3\n0 1 1\n1 0 1\n1 1 0\n0 9\n0 9\n0 9\n", TOUR, "valid: cost 3"),
        ("richvrp", PAIR, "Route #1: 1 2\nCost 10\n", "valid: cost 10010.00"),
        ("richvrp", PAIR, "Route #1: 0 1 2 0   (distance 10.00)\n", "valid: cost 10010.00"),
        ("rna", "(((...)))\n", ">x\nGGGAAACCC\n(((...))) (-1.20)\n", "valid"),
        ("alignment", ">a\nACG\n>b\nAG\n", ">a\nACG\n>b\nA-G\n", "valid: score 4"),
    ],
)  # fmt: skip
def test_forms_of_solutions(nrpa_command, tmp_path, problem, instance, solution, said):
    """As people and other programs write them."""
    (tmp_path / "given").write_text(instance)
    (tmp_path / "found").write_text(solution)
    code, out, err = nrpa_command("check", problem, "given", "found")
    assert code == 0, out + err
    assert out.startswith(said)
