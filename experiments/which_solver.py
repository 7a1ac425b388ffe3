"""Solvers at an equal time on several problems: the tables of docs/which-solver.md.

    python experiments/which_solver.py --page docs/which-solver.md

Reads which-solver.toml beside it. Runs are records of `nrpa bench` in a folder that is called as the file, or --out,
files of their own for each budget: the same command goes on where it was stopped, more runs add to those that are
there, and another --time begins anew. With --page, each table replaces what stands between the lines
`<!-- begin NAME -->` and `<!-- end NAME -->`.
"""

from __future__ import annotations

import argparse
import os
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rows import markdown, run
from scipy.stats import rankdata

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import Record, read_records
from nrpa.bench.run import run_experiment
from nrpa.bench.table import cell
from nrpa.io.files import write_text
from nrpa.io.source import bundled
from nrpa.registry import problem_class
from nrpa.search.curve import CLOCKS, WALL

HERE = Path(__file__).resolve().parent
MISSED_WINDOW = 1e6
KEYS = ("time", "runs", "seed", "columns", "tables")

Scores = dict[tuple[str, str, str], dict[int, float]]
"""For each problem, instance and variant the score at the end by seed."""


class Column(NamedTuple):
    """A column: title, problem and instance seen from the TOML file's folder, best value if not bundled, runs."""

    title: str
    problem: str
    instance: str
    best: float | None = None
    runs: int = 1

    def best_known(self) -> float | None:
        """Return the best known value, None where there is none."""
        found = bundled(problem_class(self.problem).name).get(self.instance)
        known = found.best_known if found else None
        return known.value if known else self.best


def main() -> None:
    """Run what is missing, print the tables, and write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toml", type=Path, default=HERE / "which-solver.toml")
    parser.add_argument("--time", type=float, help="seconds a run, in place of the file's")
    parser.add_argument("--clock", choices=list(CLOCKS), help="what seconds are, in place of the file's")
    parser.add_argument("--runs", type=int, help="runs of each solver on each instance, in place of the file's")
    parser.add_argument("--workers", type=int, default=1, help="runs at once")
    parser.add_argument("--out", type=Path, help="the folder of the records")
    parser.add_argument("--page", type=Path, help="a page whose tables are replaced")
    options = parser.parse_args()
    content = read_toml(options.toml)
    columns = columns_of(content, options.runs)
    time, seed = options.time or content["time"], content["seed"]
    clock = options.clock or content.get("clock", WALL)
    out = (options.out or HERE / "results" / options.toml.stem).resolve()
    page = options.page.resolve() if options.page else None
    if page:
        replaced(read_page(page), dict.fromkeys(content["tables"], ""))
    out.mkdir(parents=True, exist_ok=True)
    os.chdir(options.toml.resolve().parent)  # where the paths of problems and instances begin
    given = {name: of_variant for table in content["tables"].values() for name, of_variant in table.items()}
    variants = tuple(Variant.from_options(name, of_variant) for name, of_variant in given.items())
    for problem in dict.fromkeys(column.problem for column in columns):
        mine = [column for column in columns if column.problem == problem]
        instances = tuple(column.instance for column in mine)
        experiment = Experiment(problem, instances, variants, mine[0].runs, time, seed=seed, clock=clock)
        run_experiment(experiment, record_path(out, problem, time), workers=options.workers)
    texts = texts_of(content, columns, out, time, clock)
    print("\n\n".join(texts.values()))
    if page:
        write_text(page, replaced(read_page(page), texts))


def columns_of(content: Mapping[str, Any], runs: int | None = None) -> list[Column]:
    """Return the columns, each with its runs."""
    return [Column(**{**given, "runs": runs or given.get("runs", content["runs"])}) for given in content["columns"]]


def record_path(out: Path, problem: str, time: float) -> Path:
    """Return where the runs of a problem are."""
    return out / f"{problem_class(problem).name}-{time:g}s.csv"


def texts_of(
    content: Mapping[str, Any], columns: Sequence[Column], out: Path, time: float, clock: str
) -> dict[str, str]:
    """Return each table, and the sentence under it, as the records have them."""
    scores: Scores = {}
    for column in columns:
        seeds = range(content["seed"], content["seed"] + column.runs)
        rows = [row for row in read_records(record_path(out, column.problem, time)).rows if row.seed in seeds]
        scores.update(at_the_end(column.problem, rows, time))
    return {
        name: f"{table_text(name, columns, list(table), scores)}\n\n{said_of_runs(time, clock, columns)}"
        for name, table in content["tables"].items()
    }


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of the file. Raises InputError where it cannot be read or lacks a key."""
    try:
        content = tomllib.loads(read_page(path))
    except ValueError as error:
        raise InputError(f"{path}: is not TOML ({error})") from None
    for key in KEYS:
        if key not in content:
            raise InputError(f"{path}: has no key {key!r}")
    return content


def read_page(path: Path) -> str:
    """Return the text of the page. Raises InputError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def at_the_end(problem: str, rows: Sequence[Record], time: float) -> Scores:
    """Return the scores of the last mark."""
    found: Scores = defaultdict(dict)
    for row in rows:
        if row.mark >= time * (1 - 1e-9):
            found[problem, row.instance, row.variant][row.seed] = row.score
    return dict(found)


def said_of_runs(time: float, clock: str, columns: Sequence[Column]) -> str:
    """Return the sentence under a table."""
    seconds = "s" if clock == WALL else "s of the processor"
    runs, *others = sorted({column.runs for column in columns}, reverse=True)
    cell = f"a cell is the mean of {runs} seeds (2σ/√n)" if runs > 1 else "a cell is one run"
    if others:
        cell += "".join(f", of {column.runs} on {column.title}" for column in columns if column.runs != runs)
    return f"The budget is {time:g} {seconds} a run; {cell}."


def table_text(name: str, columns: Sequence[Column], variants: Sequence[str], scores: Scores) -> str:
    """Return a table in Markdown: a row for each variant, the best means bold, the mean of the ranks at the right."""
    means = np.array(
        [[np.mean([*scores[c.problem, c.instance, variant].values()]) for c in columns] for variant in variants]
    )
    ranks = rankdata(-means, axis=0).mean(axis=1)
    head = [name, *(column.title for column in columns), "mean rank"]
    lines = [head]
    for variant, mine, rank in zip(variants, means, ranks, strict=True):
        texts = []
        for column, mean, of_all in zip(columns, mine, means.T, strict=True):
            text = cell_text(column.problem, [*scores[column.problem, column.instance, variant].values()])
            texts.append(f"**{text}**" if mean == of_all.max() else text)
        lines.append([variant, *texts, f"{rank:.1f}"])
    known = [column.best_known() for column in columns]
    lines.append(["*best known*", *(f"*{value:g}*" if value is not None else "" for value in known), ""])
    return markdown(lines).rstrip("\n")


def cell_text(problem: str, found: Sequence[float]) -> str:
    """Return the mean in the problem's own terms with its interval; windows that were missed instead of their penalty.

    A search that has no solution yet has a score of minus infinity.
    """
    objective = problem_class(problem).objective
    digits = max(objective.digits, 1)
    if not np.isfinite(found).all():
        return "none"
    if problem_class(problem).name == "tsptw" and min(found) <= -MISSED_WINDOW:
        return f"{np.mean([-score // MISSED_WINDOW for score in found]):.3g} windows missed"
    mean, half, runs = cell([objective.value(score) for score in found])
    return f"{mean:,.{digits}f}" + (f" ({half:.{digits}f})" if runs > 1 else "")


def replaced(page: str, texts: Mapping[str, str]) -> str:
    """Return the page with these texts between their marks. Raises InputError where a mark is missing."""
    for name, text in texts.items():
        marks = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not marks.search(page):
            raise InputError(f"--page: expected the lines <!-- begin {name} --> and <!-- end {name} -->")
        page = marks.sub(lambda match, text=text: f"{match[1]}\n{text}\n\n{match[2]}", page)
    return page


if __name__ == "__main__":
    run(main)
