"""The table of an experiment for a paper, with the best of each row in bold: LaTeX, Markdown, and CSV."""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from nrpa.base.errors import InputError, escaped
from nrpa.bench.records import SCORES, Record
from nrpa.bench.statistics import LEAST_DIFFERENT, Cell, cells, differences, share
from nrpa.bench.table import (
    DIGITS,
    by_figure,
    cell_text,
    decimals_of,
    fault_rows,
    mark_text,
    marks_of,
    names,
    runs_of,
)
from nrpa.io.csv_lines import lines_of
from nrpa.modelling.objective import Objective

# Marks double, so that no number between the first and the last is further from one of them.
NEAREST = math.sqrt(2) * (1 + 1e-9)
FEASIBLE = "feasible runs"
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
    """A cell as it is printed, its numbers, whether it is the best of its row, and provably differs from another.

    ``numbers`` are the mean, the ends of its interval and how many runs they are of; None where there is no run.
    """

    text: str
    numbers: tuple[float, float, float, int] | None
    is_best: bool
    is_proven: bool


class PaperRow(NamedTuple):
    """A figure of an instance at a mark, for each variant."""

    instance: str
    figure: str
    mark: float
    mark_text: str
    cells: dict[str, PaperCell]


class PaperTable(NamedTuple):
    """The rows of all instances, the unit of their marks, and the caption."""

    axis: str
    rows: list[PaperRow]
    caption: str

    @property
    def has_figures(self) -> bool:
        """Whether rows are of several figures."""
        return len({row.figure for row in self.rows}) > 1


class _Figure(NamedTuple):
    """A figure: its rows, with its values for scores, whether more is better, and its decimals; None of a share."""

    name: str
    rows: list[Record]
    sign: int
    digits: int | None


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
    rows: Sequence[Record],
    axis: str,
    *,
    digits: int | None = None,
    objective: Objective | None = None,
    published: Mapping[tuple[str, float, str], str] | None = None,
    versus: str | None = None,
    paired: bool = False,
) -> PaperTable:
    """Return one table of all instances, with a row for each figure at each mark.

    Parameters
    ----------
    rows : sequence of Record
        The rows.
    axis : str
        What the marks count.
    digits, objective, published
        As in ``table_text``. Published cells follow those of the first figure.
    versus : str, optional
        The variant from which others are said to differ.
    paired : bool
        Whether runs of the same seed are compared.

    Returns
    -------
    PaperTable
        The table. Where scores have penalties and a run has a fault, figures are those of the runs without faults,
        the faults, and how many runs have none.
    """
    shown: list[PaperRow] = []
    variants, how_many = names(rows, "variant"), list[int]()
    for instance in names(rows, "instance"):
        mine = [row for row in rows if row.instance == instance]
        how_many += runs_of(mine).values()
        for place, figure in enumerate(_figures(mine, digits, objective)):
            shown += _rows_of(mine, figure, axis, variants, versus, paired, {} if place else published or {})
    runs = ", ".join(dict.fromkeys(map(str, how_many)))
    caption = f"Mean {(objective or SCORES).name} of {runs} run{'s' * (runs != '1')} (2σ/√n)"
    caption += " / published." if published else "."
    if any(row.figure == FEASIBLE for row in shown):
        caption += " A mean is over the feasible runs, n of them where not all are; faults are of all runs."
        caption += f" The {FEASIBLE} of all runs: the share and its 95 % interval (Wilson)."
    if any(cell.is_best for row in shown for cell in row.cells.values()):
        caption += " The best of a row is bold."
    if versus is not None:
        kind, what = ("paired by seed", "pairs that differ") if paired else ("Welch", "runs of each")
        caption += f" A star: the 95 % interval ({kind}) of the difference from {versus} excludes 0, "
        caption += f"with {LEAST_DIFFERENT} {what} or more."
    return PaperTable(axis, shown, caption)


def _figures(rows: Sequence[Record], digits: int | None, objective: Objective | None) -> Iterator[_Figure]:
    """Yield the figures of an instance; with faults, the faults and the share of runs without one follow."""
    faulty = fault_rows(objective, rows)
    has_faults = any(row.score for row in faulty)
    feasible = [row for row, fault in zip(rows, faulty, strict=True) if not fault.score] if has_faults else rows
    for name, of_figure in by_figure(objective, feasible).items():
        yield _Figure(name, of_figure, (objective or SCORES).of(name).sign, decimals_of(objective, name, digits))
    if objective is not None and has_faults:
        yield _Figure(objective.faults_name, faulty, -1, DIGITS if digits is None else digits)
        yield _Figure(FEASIBLE, [row._replace(score=float(not row.score)) for row in faulty], 1, None)


def _rows_of(
    rows: Sequence[Record],
    figure: _Figure,
    axis: str,
    variants: Sequence[str],
    versus: str | None,
    paired: bool,
    published: Mapping[tuple[str, float, str], str],
) -> Iterator[PaperRow]:
    """Yield a row for each mark where a run of the instance, or the publication, has the figure."""
    instance, every, found, runs = rows[0].instance, cells(rows), cells(figure.rows), runs_of(rows)
    proven = set()
    if versus in runs and figure.digits is not None:
        for other in (variant for variant in runs if variant != versus):
            known = differences(figure.rows, instance, other, versus, paired=paired)
            proven |= {(mark, other) for mark in known if known[mark].is_proven}
    for mark in marks_of(rows, instance, published):
        # Means of the runs without faults say nothing beside those of all runs.
        whole = {
            variant: round(figure.sign * found[key].mean, 3 if figure.digits is None else figure.digits)
            for variant in runs
            if (key := (instance, mark, variant)) in found and found[key].runs == every[key].runs
        }
        differ = len(whole) < len(runs) or len({*whole.values()}) > 1
        row = {}
        for variant in variants:
            key = instance, mark, variant
            text, numbers = _cell(found.get(key), runs.get(variant, 0), figure.digits)
            is_best = differ and variant in whole and whole[variant] == max(whole.values())
            is_proven = (mark, variant) in proven and {variant, versus} <= whole.keys()
            row[variant] = PaperCell(
                f"{text} / {published[key]}" if key in published else text, numbers, is_best, is_proven
            )
        if any(cell.text != "-" for cell in row.values()):
            yield PaperRow(instance, figure.name, mark, mark_text(mark, axis), row)


def _cell(cell: Cell | None, runs: int, digits: int | None) -> tuple[str, tuple[float, float, float, int] | None]:
    """Return the text and the numbers of a cell; without ``digits`` it is a share."""
    if cell is None:
        return "-", None
    if digits is None:
        known = share(round(cell.mean * cell.runs), cell.runs)
        text = f"{known.reached}/{known.runs} [{known.low:.2f}, {known.high:.2f}]"
        return text, (known.share, known.low, known.high, known.runs)
    ends = cell.mean - cell.half_width, cell.mean + cell.half_width
    return cell_text(cell, runs, digits), (cell.mean, *ends, cell.runs)


def latex(table: PaperTable, label: str) -> str:
    """Return a table as LaTeX, which needs the package booktabs: three variants fit a column of 84 mm."""
    variants = [*table.rows[0].cells]
    axis = _latex(table.axis).replace(" ", r"\\\scriptsize ")
    body = []
    for (instance, figure), of_figure in itertools.groupby(table.rows, lambda row: (row.instance, row.figure)):
        heading = _latex(f"{instance}, {figure}" if table.has_figures else instance)
        body += [r"\midrule", rf"\multicolumn{{{len(variants) + 1}}}{{@{{}}l}}{{{heading}}} \\"]
        body += [" & ".join([row.mark_text, *map(_latex_cell, row.cells.values())]) + r" \\" for row in of_figure]
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}[ht]",
            r"\centering",
            # Where captions are above, many classes leave no room below them.
            r"\setlength{\belowcaptionskip}{6pt}",
            rf"\caption{{{_latex(table.caption)}}}",
            rf"\label{{tab:{re.sub('[^A-Za-z0-9.-]', '-', label)}}}",
            r"\footnotesize",
            r"\setlength{\tabcolsep}{2pt}",
            rf"\begin{{tabular}}{{@{{}}{'r' * (len(variants) + 1)}@{{}}}}",
            r"\toprule",
            " & ".join([rf"\shortstack[r]{{\scriptsize {axis}}}", *map(_latex, variants)]) + r" \\",
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
    figure, _, interval = text.partition(" ")
    interval = interval.replace(", ", r",\,")
    # The small interval lets three variants fit 84 mm. A star has no width, so that figures stay below each other.
    return (
        (rf"\textbf{{{figure}}}" if cell.is_best else figure)
        + rf" {{\scriptsize {interval}}}" * bool(interval)
        + r"\rlap{$^{*}$}" * cell.is_proven
    )


def markdown(table: PaperTable) -> str:
    """Return a table as Markdown, and below it what explains it."""
    head = ["instance", *["figure"] * table.has_figures, table.axis]
    ruled = [[*map(_markdown, [*head, *table.rows[0].cells])]]
    ruled.append([*["---"] * (len(head) - 1), *["---:"] * (len(ruled[0]) - len(head) + 1)])
    for row in table.rows:
        begin = [row.instance, *[row.figure] * table.has_figures]
        ruled.append([*map(_markdown, begin), row.mark_text, *map(_markdown_cell, row.cells.values())])
    return "\n".join([*(f"| {' | '.join(line)} |" for line in ruled), "", _markdown(table.caption)])


def _markdown(text: str) -> str:
    return escaped(text).translate(MARKDOWN)


def _markdown_cell(cell: PaperCell) -> str:
    text = _markdown(cell.text)
    return (f"**{text}**" if cell.is_best else text) + r"\*" * cell.is_proven


def csv_text(table: PaperTable) -> str:
    """Return a table as CSV: a line for each cell with a run, its numbers not rounded."""
    lines: list[list[object]] = [
        ["instance", table.axis, "variant", "figure", "mean", "low", "high", "runs", "best", "star"]
    ]
    for row in table.rows:
        for variant, cell in row.cells.items():
            if cell.numbers is not None:
                begin = [row.instance, f"{row.mark:.12g}", variant, row.figure]
                lines.append([*begin, *cell.numbers, int(cell.is_best), int(cell.is_proven)])
    return lines_of(lines).rstrip("\n")
