"""Start positions and games from text."""

import pytest

from nrpa import InputError, Morpion
from nrpa.problems.morpion.reader import parse_morpion
from nrpa.problems.morpion.rules import Move, cross

PENTASOL_5D = """\
# Pentasol compatible format
(28,28)
(27,27) / 0
(31,35) | -2
(29,31) - -2
(30,28) - +2
(32,27) \\ 0
"""


def test_variant_alone():
    """A variant is enough: the game starts from the standard cross."""
    assert parse_morpion("# a comment\n4T # the touching game\n", "f") == ("4T", cross("4T"), [])


def test_dots_and_moves():
    """Dots are drawn from (0, 0), moves follow; a margin, comments and blank lines around rows do not count."""
    parsed = parse_morpion("5D\n\n  .oooo # a row\n# another\n  .o\n\n0 0 H 0\n", "f")
    assert parsed == ("5D", {(1, 0), (2, 0), (3, 0), (4, 0), (1, 1)}, [Move(0, 0, "H", 0)])


def test_load_from_path(tmp_path):
    """A file is loaded with its moves played."""
    path = tmp_path / "position"
    path.write_text("5T\n2 0 H 0\n")
    problem = Morpion.load(str(path))
    assert problem.prefix == [Move(2, 0, "H", 0)]
    assert problem.instance.played == 1
    assert problem.best_known is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: is empty; expected a variant (5T, 5D, 4T, 4D), then dots, then moves"),
        ("# only a comment\n", "f: is empty; expected a variant (5T, 5D, 4T, 4D), then dots, then moves"),
        ("2 0 H 0\n", "f:1: expected a variant (5T, 5D, 4T, 4D), found '2 0 H 0'"),
        ("5T\n.oxo\n", "f:2: expected `o` (a dot) or `.`, found 'x'"),
        ("5T\n.o\n\n.o\n", "f:4: a row after a blank line; expected `.` for each place without a dot"),
        ("5T\n.o\n  o\n", "f:3: a row that begins in another column; expected `.` for each place without a dot"),
        ("5T\n o.\no..\n", "f:3: a row that begins in another column; expected `.` for each place without a dot"),
        ("4D\n(28,28)\n", "f:2: Pentasol's notation is of 5T and 5D, not of 4D"),
        ("5T\n...\n", "f:2: the start position has no dot; expected at least one `o`"),
        ("5T\n2 0 H\n", "f:2: expected a move `x y dir pos`, dir one of H V DP DN, found '2 0 H'"),
        ("5T\n2 0 E 0\n", "f:2: expected a move `x y dir pos`, dir one of H V DP DN, found '2 0 E 0'"),
        ("5T\n2 0 H 0\n\n7 0 H 4\n", "f:4: move 2 (7 0 H 4) is not legal: its line shares a segment at (3, 0) with"),
        ("5T\n9 9 H 0\n", "f:2: move 1 (9 9 H 0) is not legal: its line has no dot at (10, 9)"),
        ("5T\n(28,28)\n(27,27) ? 0\n", "f:3: expected a Pentasol move `(x,y) - +2`, found '(27,27) ? 0'"),
        ("5T\n(28;28)\n", "f:2: expected the corner `(x,y)` that begins a Pentasol game, found '(28'"),
    ],
)
def test_bad_files(text, message):
    """Bad files are refused with file, line and what was expected."""
    with pytest.raises(InputError) as error:
        parse_morpion(text, "f")
    assert str(error.value).startswith(message)


def test_too_large(tmp_path):
    """A start position that fits on no board is refused with the name of its file."""
    path = tmp_path / "wide"
    path.write_text("5T\n" + "o" * 40 + "\n")
    with pytest.raises(InputError, match=r"wide: the start position must fit into 39 rows and columns, not 1 and 40"):
        Morpion.load(str(path))


def test_pentasol():
    """A game in the notation of the Pentasol player has the same moves."""
    game = Morpion.parse_solution(PENTASOL_5D)
    assert game == [[2, 2, "DP", 2], [6, 10, "V", 4], [4, 6, "H", 4], [5, 3, "H", 0], [7, 2, "DN", 2]]
    assert Morpion("5D").check(game).valid


def test_solution_with_a_header():
    """What a position's file says before the moves is skipped when it is read as a game."""
    assert Morpion.parse_solution("5T\n.oo\n1 0 H 0 # first\n") == [[1, 0, "H", 0]]


FAR = [f"{'1' * 5000} 0 H 0", "1000001 0 H 0", f"({'1' * 5000},2)", f"(1,2)\n(1,{'2' * 5000}) - 0"]
FOREIGN = ["\u0661 0 H 0", "(\u0661,2)", "(1,2)\n(\u0661,2) - 0"]


@pytest.mark.parametrize(
    "text", ["1 2 3", "1 2 H 0 0", "a b H 0", "1.5 0 H 0", "(1,2) - 3", "(1,2)\n(1,2)", *FAR, *FOREIGN]
)
def test_bad_games(text):
    """Text that is no game is refused with the line."""
    with pytest.raises(InputError, match=r"^line \d: expected"):
        Morpion.parse_solution(text)


def test_empty_game():
    """An empty text is the empty game."""
    assert Morpion.parse_solution("# nothing\n") == []
