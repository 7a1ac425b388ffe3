import csv
import io
import shutil
import statistics
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from nrpa.base.errors import InputError
from nrpa.bench.records import Record
from nrpa.bench.table_formats import at_marks, csv_text, latex, markdown, paper_table
from nrpa.cli.main import commands
from nrpa.modelling.objective import Objective

COST = Objective("cost", sign=-1)
# 100 % & $ # _ { } ~ ^ \ and letters that LaTeX has in formulas only.
ODD = r"a_1 & 50 %, $x$ #2 {y} ~z ^w \v, τ ≤ 1.4, λ, |<b>| *c* `d` [e]"


def rows(variant, scores, mark=0.01, instance="i"):
    return [Record(variant, instance, seed, mark, 1, score) for seed, score in enumerate(scores)]


def table(found, versus=None, digits=1):
    return paper_table(found, "seconds", digits=digits, objective=COST, versus=versus)


SIX = [-12.0, -12.1, -12.2, -11.8, -11.9, -12.0]
FOUND = [
    *rows("A", [score + 5 for score in SIX]),
    *rows("B", SIX),
    *rows("C", [-7.0, -6.6, -7.4, -7.2, -6.8, -7.1]),
    *rows("A", [9.0, -3.0], 0.02),
    *rows("B", [2.0], instance="j"),
]


def test_the_best_is_bold_and_what_is_proven_has_a_star():
    """A and C are printed alike, so both are the best; C and A differ from B; few runs, or near ones, prove nothing."""
    alike = table([*rows("A", SIX), *rows("B", [score + 0.01 for score in SIX])], "B")
    assert [cell.is_proven for cell in alike.rows[0].cells.values()] == [False, False]
    found = {(row.instance, row.mark): row.cells for row in table(FOUND, "B").rows}
    assert {name: cell[2:] for name, cell in found["i", 0.01].items()} == {
        "A": (True, True),
        "B": (False, False),
        "C": (True, True),
    }
    assert [cell[2:] for cell in found["i", 0.02].values()] == [(True, False), (False, False), (False, False)]
    assert (found["j", 0.01]["B"].text, found["j", 0.01]["B"].is_best) == ("-2.0", False), (
        "the best of one is nothing to say"
    )


def test_markdown():
    """A row for each mark of each instance; signs that mean something are escaped."""
    lines = markdown(table([*FOUND, *rows("x|y", [-8.0])], "B")).splitlines()
    assert lines[:4] == [
        r"| instance | seconds | A | B | C | x\|y |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        r"| i | 0.01 | **7.0 (0.1)**\* | 12.0 (0.1) | **7.0 (0.2)**\* | 8.0 |",
        "| i | 0.02 | **-3.0 (12.0) n=2** | - | - | - |",
    ]
    assert "A star: the 95 % interval (Welch) of the difference from B" in lines[-1]


def test_a_csv_has_each_figure_unrounded():
    """With what is bold and has a star."""
    found = [*csv.DictReader(io.StringIO(csv_text(table(FOUND, "B"))))]
    assert [(row["instance"], row["seconds"], row["variant"]) for row in found] == [
        *(("i", "0.01", name) for name in "ABC"), ("i", "0.02", "A"), ("j", "0.01", "B")
    ]  # fmt: skip
    assert float(found[2]["mean"]) == pytest.approx(42.1 / 6)
    half = 2 * statistics.stdev([7.0, 6.6, 7.4, 7.2, 6.8, 7.1]) / 6**0.5
    assert [float(found[2][name]) for name in ("low", "high")] == pytest.approx([42.1 / 6 - half, 42.1 / 6 + half])
    assert [found[2][name] for name in ("figure", "runs", "best", "star")] == ["cost", "6", "1", "1"]


WINDOWS = Objective("cost", sign=-1, digits=2, penalty=1e6, fault="window missed")


def test_each_figure_of_a_verdict_has_rows():
    """The cost is of runs without faults, and best or proven only where all are; shares have Wilson's interval."""
    many = [*rows("A", [-2_000_005.0, *[-6.0, -7.0] * 3]), *rows("B", [-8.0, -9.0] * 4)]
    found = paper_table(many, "seconds", objective=WINDOWS, versus="A", published={("i", 0.01, "A"): "6.10"})
    shown = {row.figure: [(cell.text, cell.is_best) for cell in row.cells.values()] for row in found.rows}
    assert shown == {
        "cost": [("6.50 (0.45) n=6 / 6.10", False), ("8.50 (0.38)", True)],
        "windows missed": [("0.29 (0.57)", False), ("0.00 (0.00)", True)],
        "feasible runs": [("6/7 [0.49, 0.97]", False), ("8/8 [0.68, 1.00]", True)],
    }
    assert not any(cell.is_proven for row in found.rows for cell in row.cells.values())
    assert "A mean is over the feasible runs" in found.caption
    assert r"\multicolumn{3}{@{}l}{i, windows missed} \\" in latex(found, "t").splitlines()
    assert markdown(found).splitlines()[2].startswith("| i | cost | 0.01 | 6.50")
    assert [line.split(",")[3] for line in csv_text(found).splitlines()[1:]] == [
        name for name in shown for _ in range(2)
    ]


def test_published_marks_beyond_ours_have_rows():
    """Of variants that are there, on instances that are."""
    published = {("i", 0.08, "A"): "5", ("i", 0.16, "C"): "5", ("j", 0.32, "A"): "5"}
    found = paper_table(rows("A", [1.0, 2.0]), "seconds", published=published)
    assert [(row.mark, row.cells["A"].text) for row in found.rows] == [(0.01, "1.50 (1.00)"), (0.08, "- / 5")]


def test_marks_are_the_nearest():
    """Within a factor of √2, which any number between the first mark and the last is; others are refused."""
    found = [row for k in range(4) for row in rows("A", [1.0], 0.01 * 2**k)]
    assert {row.mark for row in at_marks(found, [0.03, 0.0100001, 0.1])} == {0.04, 0.01, 0.08}
    with pytest.raises(InputError, match="i has no mark near 60; it has 0"):
        at_marks(found, [60.0])


def test_latex():
    """An instance heads its rows; a minus is one; stars have no width; a missing cell is a dash."""
    text = latex(table(FOUND, "B"), "a b")
    lines = text.splitlines()
    assert r"\label{tab:a-b}" in lines
    best = r"\textbf{7.0} {\scriptsize (0.%d)}\rlap{$^{*}$}"
    assert rf"0.01 & {best % 1} & 12.0 {{\scriptsize (0.1)}} & {best % 2} \\" in lines
    assert r"0.02 & \textbf{$-$3.0} {\scriptsize (12.0) n=2} & -- & -- \\" in lines
    assert lines.index(r"\setlength{\belowcaptionskip}{6pt}") < lines.index(r"\toprule")
    assert r"\multicolumn{4}{@{}l}{j} \\" in lines
    assert lines.count(r"\midrule") == 2, "below the head, and between instances"


WITHOUT_LATEX = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def compiled(text, page, folder):
    """Return what LaTeX prints of a table on a page of a geometry."""
    packages = rf"\usepackage[T1]{{fontenc}}\usepackage{{booktabs}}\usepackage[{page}]{{geometry}}"
    (folder / "t.tex").write_text(rf"\documentclass{{article}}{packages}\begin{{document}}{text}\end{{document}}")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=folder, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "undefined" not in done.stdout
    assert (folder / "t.pdf").stat().st_size > 1000
    return done.stdout


@WITHOUT_LATEX
def test_latex_compiles_as_it_stands(tmp_path):
    """Whatever the names hold."""
    text = latex(table([*rows(ODD, [1.0, 2.0]), *rows("B", [3.0] * 2)]), ODD)
    compiled(text, "landscape,margin=1cm", tmp_path)


@WITHOUT_LATEX
def test_three_variants_fit_a_column(tmp_path):
    """Costs, missed windows, and shares with their intervals, 84 mm wide."""
    record = Path(__file__).parents[2] / "experiments" / "results" / "rc204.1-163.csv"
    text = CliRunner().invoke(commands, ["table", str(record), "--format", "latex", "--marks", "1.28,163.84"]).stdout
    assert "Overfull" not in compiled(text, "paperwidth=84mm,margin=0mm", tmp_path)


def test_equals_are_not_the_best():
    """Where all variants are equal, none is bold; where one is worse, all of the others that are."""
    found = paper_table([*rows("A", [1.0, 1.0]), *rows("B", [1.0] * 2), *rows("C", [1.0] * 2)], "seconds")
    assert not any(cell.is_best for cell in found.rows[0].cells.values())
    found = paper_table([*rows("A", [1.0, 1.0]), *rows("B", [1.0] * 2), *rows("C", [0.0] * 2)], "seconds")
    assert [cell.is_best for cell in found.rows[0].cells.values()] == [True, True, False]
