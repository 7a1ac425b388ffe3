import math

import pytest

from nrpa.base.errors import InputError
from nrpa.bench.records import End, Record
from nrpa.bench.statistics import cell, cells
from nrpa.bench.table import difference_table, ends_text, read_published, table_text
from nrpa.modelling.objective import Objective


def rows(variant, scores, mark=0.01, instance="i"):
    return [Record(variant, instance, seed, mark, 1, score) for seed, score in enumerate(scores)]


def test_a_cell_by_hand():
    """Scores 2, 4, 6, 8: mean 5, σ² = 20/3, 2σ/√4 = σ."""
    assert cell([2.0, 4.0, 6.0, 8.0]) == (5.0, pytest.approx(math.sqrt(20 / 3)), 4)
    assert math.isnan(cell([3.0]).half_width)


def test_cells_are_told_apart():
    """Instances, marks and variants do not mix."""
    found = cells([*rows("A", [1.0, 3.0]), *rows("B", [5.0]), *rows("A", [7.0], 0.02), *rows("A", [9.0], instance="j")])
    means = {key: value.mean for key, value in found.items()}
    assert means == {("i", 0.01, "A"): 2, ("i", 0.01, "B"): 5, ("i", 0.02, "A"): 7, ("j", 0.01, "A"): 9}


def test_the_table_as_the_papers_print_it():
    """A row for each doubling, a column for each variant; a mark that runs lack says how many it stands for."""
    text = table_text(
        [*rows("A", [2.0, 4.0, 6.0, 8.0]), *rows("B", [-1.0] * 4), *rows("A", [9.0, 9.0], 0.02)], "seconds"
    )
    assert text.splitlines() == [
        "i: mean score of 4 runs (2σ/√n)",
        "seconds                A             B",
        "   0.01      5.00 (2.58)  -1.00 (0.00)",
        "   0.02  9.00 (0.00) n=2             -",
    ]


def test_one_run_is_not_runs():
    """In the heading."""
    assert table_text(rows("A", [2.0]), "seconds").startswith("i: mean score of 1 run (2σ/√n)")


def test_published_cells_follow_ours(tmp_path):
    """As they are printed, where there are any for that instance, mark and variant; a last line may lack its end."""
    path = tmp_path / "published.csv"
    path.write_text("variant,instance,seconds,cell\nB,j,0.01,9\nA,i,0.01,4.50 (1.00)")
    found = read_published(path, "seconds")
    lines = table_text([*rows("A", [2.0] * 4), *rows("B", [1.0] * 4)], "seconds", published=found).splitlines()
    assert len(lines) == 3
    assert lines[0] == "i: mean score of 4 runs (2σ/√n) / published"
    assert lines[2].split() == ["0.01", "2.00", "(0.00)", "/", "4.50", "(1.00)", "1.00", "(0.00)"]
    later = table_text(rows("A", [2.0] * 4), "seconds", published={("i", 0.04, "A"): "7"}).splitlines()
    assert later[-1].split() == ["0.04", "-", "/", "7"], "a mark that the publication alone has"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("a", "expected the columns variant,instance,seconds,cell"),
        ("a,b\n1,2\n", "published.csv:1.*variant,instance,seconds,cell"),
        ("\nA,i,x,1\n", "published.csv:2.*seconds.*x"),
    ],
)
def test_a_published_table_that_cannot_be_read(tmp_path, text, facts):
    """The file, the line and what was expected."""
    path = tmp_path / "published.csv"
    path.write_text(text if text[0] == "a" else "variant,instance,seconds,cell" + text)
    with pytest.raises(InputError, match=facts):
        read_published(path, "seconds")


def test_faults_stand_in_place_of_a_mean_of_millions():
    """Of all runs of a cell, as soon as one has a fault; so do differences, and the ends of runs."""
    cost = Objective("cost", -1, digits=2, penalty=1e6, fault="window missed")
    many = [*rows("A", [-2_000_005.0, -7.0]), *rows("B", [-5.0, -6.0])]
    cells_of_a_line = table_text(many, "seconds", objective=cost).splitlines()[2]
    assert cells_of_a_line.split() == ["0.01", "1", "window", "missed", "5.50", "(1.00)"]
    assert difference_table(many, "seconds", "B", False, None, cost).lines[0][1].startswith("+1.00 [")
    assert difference_table(many, "seconds", "B", False, None, cost).lines[0][1].endswith("] windows missed")
    ends = [End("A", "i", seed, "time", 1.0, 9, value, "") for seed, value in enumerate((2_000_005.0, 7.0))]
    assert ends_text(ends, ["A"], cost).splitlines()[1].count("1 window missed") == 2
