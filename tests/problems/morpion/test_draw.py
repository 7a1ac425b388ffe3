"""Drawing games as text."""

from nrpa import Morpion
from nrpa.io.source import bundled

CROSS_OF_4 = """\
          o   o   o

          o       o

  o   o   o       o   o   o

  o                       o

  o   o   o       o   o   o

          o       o

          o   o   o"""


def test_cross():
    """Without moves the picture is the start position."""
    assert Morpion("4D").draw([]) == CROSS_OF_4


def test_lines_and_numbers():
    """Dots carry the numbers of their moves, ended at the same column; lines are drawn between them."""
    dots = {(x, 0) for x in range(1, 4)} | {(2, 1), (2, 2)}
    drawn = Morpion("4D", dots=dots).draw([[0, 0, "H", 0]])
    assert drawn == "  1---o---o---o\n\n          o\n\n          o"


def test_diagonals_cross():
    """Where two diagonals cross between dots, the picture shows an X."""
    dots = {(0, 0), (1, 1), (2, 2), (0, 3), (1, 2), (2, 1)}
    drawn = Morpion("4D", dots=dots).draw([[3, 3, "DN", 3], [3, 0, "DP", 3]])
    assert drawn == "\n".join(
        [
            "  o           2",
            "    \\       /",
            "      o   o",
            "        X",
            "      o   o",
            "    /       \\",
            "  o           1",
        ]
    )


def test_vertical():
    """A line down is drawn with bars."""
    drawn = Morpion("4D", dots={(0, 0), (0, 1), (0, 2)}).draw([[0, 3, "V", 3]])
    assert drawn == "  o\n  |\n  o\n  |\n  o\n  |\n  1"


def test_record():
    """The record of 5T shows each number once and is 80 columns wide at most."""
    problem = Morpion("5T")
    drawn = problem.draw(Morpion.parse_solution(bundled("morpion")["5T"].solution))
    words = drawn.replace("-", " ").replace("|", " ").replace("/", " ").replace("\\", " ").replace("X", " ").split()
    assert sorted(map(int, (word for word in words if word != "o"))) == list(range(1, 179))
    assert words.count("o") == 36
    assert max(map(len, drawn.splitlines())) <= 80
