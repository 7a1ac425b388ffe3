"""The table of an experiment for a paper, with the best of each row in bold: LaTeX, Markdown, and CSV."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
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
    """What is shown of an instance at a mark, by variant."""

    instance: str
    mark: float
    mark_text: str
    by_variant: dict[str, PaperCell]


class PaperTable(NamedTuple):
    """The rows of all instances, what their marks count, and what explains them."""

    axis: str
    rows: list[PaperRow]
    caption: str

    def shown(self, text: Callable[[str], str], cell: Callable[[PaperCell], str]) -> list[list[str]]:
        """Return the names of the columns and the rows, as ``text`` and ``cell`` write them."""
        variants = list(dict.fromkeys(variant for row in self.rows for variant in row.by_variant))
        none = PaperCell("-", False, False)
        lines = [
            [text(row.instance), row.mark_text, *(cell(row.by_variant.get(each, none)) for each in variants)]
            for row in self.rows
        ]
        return [["instance", text(self.axis), *map(text, variants)], *lines]


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
    found: list[PaperRow] = []
    tables = []
    for instance in names(rows, "instance"):
        mine = [row for row in rows if row.instance == instance]
        tables.append(table(mine))
        found += _rows_of(mine, tables[-1], {} if versus is None else _proven(mine, versus, paired))
    titles = "; ".join(dict.fromkeys(each.title for each in tables))
    caption = f"{titles[0].upper()}{titles[1:]}."
    if any(len(row.by_variant) > 1 for row in found):
        caption += " The best of a row is bold."
    if versus is not None:
        kind, what = ("paired by seed", "pairs that differ") if paired else ("Welch", "runs of each")
        caption += f" A star: the 95 % interval ({kind}) of the difference from {versus} excludes 0, "
        caption += f"with {LEAST_DIFFERENT} {what} or more."
    return PaperTable(tables[0].head[0], found, caption)


def _proven(rows: Sequence[Record], versus: str, paired: bool) -> set[tuple[float, str]]:
    """Return the marks and variants of an instance where the variant provably differs from one."""
    instance = rows[0].instance
    return {
        (mark, variant)
        for variant in names(rows, "variant")
        if variant != versus
        for mark, known in differences(rows, instance, variant, versus, paired=paired).items()
        if known.is_proven
    }


def _rows_of(rows: Sequence[Record], table: TextTable, proven: Collection[tuple[float, str]]) -> Iterator[PaperRow]:
    instance, variants, found = rows[0].instance, table.head[1:], cells(rows)
    for mark, (mark_text, *texts) in zip(marks_of(rows, instance), table.lines, strict=True):
        there = [place for place, variant in enumerate(variants) if (instance, mark, variant) in found]
        best = max(there, key=lambda place: found[instance, mark, variants[place]].mean)
        is_best = [len(variants) > 1 and _mean_text(text) == _mean_text(texts[best]) for text in texts]
        shown = zip(texts, is_best, ((mark, variant) in proven for variant in variants), strict=True)
        yield PaperRow(instance, mark, mark_text, dict(zip(variants, itertools.starmap(PaperCell, shown), strict=True)))


def _mean_text(text: str) -> str:
    """Return what is printed of means: means that are printed alike are equally good."""
    return re.sub(r" \([^)]*\)| n=\d+| / .*", "", text)


def latex(table: PaperTable, label: str, standalone: bool = False) -> str:
    """Return a table as LaTeX, which needs the package booktabs, or as a whole document."""
    lines = table.shown(_latex, _latex_cell)
    body = [" & ".join(lines[0]) + r" \\"]
    for before, line in itertools.pairwise(lines):
        is_same = before[0] == line[0] and before is not lines[0]
        body += [] if is_same else [r"\midrule"]
        body.append(" & ".join(["" if is_same else line[0], *line[1:]]) + r" \\")
    written = [
        r"\begin{table}[ht]",
        r"\centering",
        rf"\caption{{{_latex(table.caption)}}}",
        rf"\label{{tab:{re.sub('[^A-Za-z0-9.-]', '-', label)}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(lines[0]) - 1)}}}",
        r"\toprule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    if not standalone:
        return "\n".join([r"% needs \usepackage{booktabs}", *written])
    packages = [r"\usepackage[T1]{fontenc}", r"\usepackage{booktabs}", r"\usepackage[landscape,margin=1cm]{geometry}"]
    return "\n".join([r"\documentclass{article}", *packages, r"\begin{document}", *written, r"\end{document}"])


def _latex(text: str) -> str:
    return escaped(text).translate(LATEX)


def _latex_cell(cell: PaperCell) -> str:
    text = "--" if cell.text == "-" else re.sub(r"(?<!\w)-(?=\d)", "$-$", _latex(cell.text))
    # A star has no width, so that figures stay below each other.
    return (rf"\textbf{{{text}}}" if cell.is_best else text) + r"\rlap{$^{*}$}" * cell.is_proven


def markdown(table: PaperTable) -> str:
    """Return a table as Markdown, and below it what explains it."""
    head, *lines = table.shown(_markdown, _markdown_cell)
    ruled = [head, ["---", *["---:"] * (len(head) - 1)], *lines]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in ruled), "", _markdown(table.caption)])


def _markdown(text: str) -> str:
    return escaped(text).translate(MARKDOWN)


def _markdown_cell(cell: PaperCell) -> str:
    text = _markdown(cell.text)
    return (f"**{text}**" if cell.is_best else text) + r"\*" * cell.is_proven


def csv_text(table: PaperTable, rows: Sequence[Record], objective: Objective | None) -> str:
    """Return a table as CSV: a line for each figure of each cell, its numbers not rounded."""
    head = ["instance", table.axis, "variant", "figure", "mean", "half_width", "runs", "best", "star"]
    found = {figure: cells(of_figure) for figure, of_figure in by_figure(objective, rows).items()}
    lines = [
        [row.instance, f"{row.mark:.12g}", variant, figure, *cell, int(shown.is_best), int(shown.is_proven)]
        for row in table.rows
        for variant, shown in row.by_variant.items()
        for figure, of_figure in found.items()
        if (cell := of_figure.get((row.instance, row.mark, variant)))
    ]
    return lines_of([head, *lines]).rstrip("\n")
