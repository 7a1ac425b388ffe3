"""The table of an experiment for a paper, with the best of each row in bold: LaTeX, Markdown, and CSV."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from nrpa.base.errors import InputError, escaped
from nrpa.bench.records import Record
from nrpa.bench.statistics import LEAST_DIFFERENT, cells, differences
from nrpa.bench.table import TextTable, by_figure, marks_of, names
from nrpa.io.csv_lines import lines_of
from nrpa.modelling.objective import Objective

# Marks double, so that no number between the first and the last is further from one of them.
NEAREST = math.sqrt(2) * (1 + 1e-9)
MATHS = {
    **{letter: rf"\{unicodedata.name(letter).split()[-1].lower()}" for letter in "αβγδεζηθκμνξπρστφχψω"},
    **{"λ": r"\lambda", "√": r"\surd ", "≤": r"\le ", "≥": r"\ge ", "×": r"\times ", "−": "-"},
}
LATEX = str.maketrans(
    {sign: rf"\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"}
    | {sign: rf"\ensuremath{{{maths}}}" for sign, maths in MATHS.items()}
)
MARKDOWN = str.maketrans({sign: rf"\{sign}" for sign in r"\`*_[]<>|~$#"})


class PaperCell(NamedTuple):
    """A cell as it is printed; whether it is the best of its row, and provably differs from the variant compared."""

    text: str
    is_best: bool
    is_proven: bool


class PaperRow(NamedTuple):
    """What is shown of an instance at a mark, for each variant."""

    instance: str
    mark: float
    mark_text: str
    cells: dict[str, PaperCell]


class PaperTable(NamedTuple):
    """The rows of all instances, what their marks count, and what explains them."""

    axis: str
    rows: list[PaperRow]
    caption: str

    def lines(self, text: Callable[[str], str], cell: Callable[[PaperCell], str]) -> list[list[str]]:
        """Return the names of the columns and the rows, as ``text`` and ``cell`` write them."""
        rows = [[text(row.instance), row.mark_text, *map(cell, row.cells.values())] for row in self.rows]
        return [["instance", text(self.axis), *map(text, self.rows[0].cells)], *rows]


def at_marks(rows: Sequence[Record], wanted: Sequence[float]) -> list[Record]:
    """Return the rows at the marks nearest to those wanted. Raises InputError where an instance has none near one."""
    kept = set()
    for instance in names(rows, "instance"):
        known = marks_of(rows, instance)
        for each in wanted:
            nearest = min(known, key=lambda mark: abs(math.log(mark / each)))
            if not 1 / NEAREST <= nearest / each <= NEAREST:
                raise InputError(f"{instance} has no mark near {each:g}; it has {', '.join(f'{m:g}' for m in known)}")
            kept.add((instance, nearest))
    return [row for row in rows if (row.instance, row.mark) in kept]


def paper_table(
    rows: Sequence[Record], table: Callable[[list[Record]], TextTable], versus: str | None = None, paired: bool = False
) -> PaperTable:
    """Return one table of the tables of means that ``table`` makes of the rows of each instance."""
    shown: list[PaperRow] = []
    titles = []
    for instance in names(rows, "instance"):
        mine = [row for row in rows if row.instance == instance]
        means = table(mine)
        titles.append(means.title)
        shown += _rows_of(mine, means, names(rows, "variant"), versus, paired)
    caption = "; ".join(dict.fromkeys(titles)) + "."
    if any(cell.is_best for row in shown for cell in row.cells.values()):
        caption += " The best of a row is bold."
    if versus is not None:
        kind, what = ("paired by seed", "pairs that differ") if paired else ("Welch", "runs of each")
        caption += f" A star: the 95 % interval ({kind}) of the difference from {versus} excludes 0, "
        caption += f"with {LEAST_DIFFERENT} {what} or more."
    return PaperTable(means.head[0], shown, caption[0].upper() + caption[1:])


def _rows_of(
    rows: Sequence[Record], means: TextTable, variants: Sequence[str], versus: str | None, paired: bool
) -> Iterator[PaperRow]:
    instance, own, found = means.instance, means.head[1:], cells(rows)
    proven = set()
    if versus is not None:
        for other in (variant for variant in own if variant != versus):
            known = differences(rows, instance, other, versus, paired=paired)
            proven |= {(mark, other) for mark in known if known[mark].is_proven}
    for mark, (mark_text, *texts) in zip(marks_of(rows, instance), means.lines, strict=True):
        text_of = dict(zip(own, texts, strict=True))
        there = [variant for variant in own if (instance, mark, variant) in found]
        best = max(there, key=lambda variant: found[instance, mark, variant].mean)
        row = {}
        for variant in variants:
            text = text_of.get(variant, "-")
            is_best = len(own) > 1 and _mean_text(text) == _mean_text(text_of[best])
            row[variant] = PaperCell(text, is_best, (mark, variant) in proven)
        yield PaperRow(instance, mark, mark_text, row)


def _mean_text(text: str) -> str:
    """Return what is printed of means: means that are printed alike are equally good."""
    return re.sub(r" \([^)]*\)| n=\d+| / .*", "", text)


def latex(table: PaperTable, label: str) -> str:
    """Return a table as LaTeX, which needs the package booktabs."""
    head, *lines = table.lines(_latex, _latex_cell)
    body = []
    for instance, of_instance in itertools.groupby(lines, itemgetter(0)):
        body.append(r"\midrule")
        body += [" & ".join([instance * (k == 0), *line[1:]]) + r" \\" for k, line in enumerate(of_instance)]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}[ht]",
            r"\centering",
            rf"\caption{{{_latex(table.caption)}}}",
            rf"\label{{tab:{re.sub('[^A-Za-z0-9.-]', '-', label)}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\toprule",
            " & ".join(head) + r" \\",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _latex(text: str) -> str:
    return escaped(text).translate(LATEX)


def _latex_cell(cell: PaperCell) -> str:
    text = "--" if cell.text == "-" else re.sub(r"(?<!\w)-(?=\d)", "$-$", _latex(cell.text))
    # A star has no width, so that figures stay below each other.
    return (rf"\textbf{{{text}}}" if cell.is_best else text) + r"\rlap{$^{*}$}" * cell.is_proven


def markdown(table: PaperTable) -> str:
    """Return a table as Markdown, and below it what explains it."""
    head, *lines = table.lines(_markdown, _markdown_cell)
    ruled = [head, ["---", *["---:"] * (len(head) - 1)], *lines]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in ruled), "", _markdown(table.caption)])


def _markdown(text: str) -> str:
    return escaped(text).translate(MARKDOWN)


def _markdown_cell(cell: PaperCell) -> str:
    text = _markdown(cell.text)
    return (f"**{text}**" if cell.is_best else text) + r"\*" * cell.is_proven


def csv_text(table: PaperTable, rows: Sequence[Record], objective: Objective | None) -> str:
    """Return a table as CSV: a line for each figure of each cell, its numbers not rounded."""
    lines: list[list[object]] = [
        ["instance", table.axis, "variant", "figure", "mean", "half_width", "runs", "best", "star"]
    ]
    found = {figure: cells(of_figure) for figure, of_figure in by_figure(objective, rows).items()}
    for row in table.rows:
        for variant, shown in row.cells.items():
            for figure, of_figure in found.items():
                if cell := of_figure.get((row.instance, row.mark, variant)):
                    begin = [row.instance, f"{row.mark:.12g}", variant, figure]
                    lines.append([*begin, *cell, int(shown.is_best), int(shown.is_proven)])
    return lines_of(lines).rstrip("\n")
