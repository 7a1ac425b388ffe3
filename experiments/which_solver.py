"""Solvers at an equal time on several problems: the tables of docs/which-solver.md, which pages.py writes.

python experiments/which_solver.py && python experiments/pages.py

Reads which-solver.toml beside it. Runs are records of `nrpa bench` in a folder that is called as the file, or --out,
files of their own for each budget: the same command goes on where it was stopped, more runs add to those that are
there, and another --time begins anew.
"""

from __future__ import annotations

import os
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from scipy.stats import rankdata
from tables import markdown, run

from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import read_records
from nrpa.bench.run import run_experiment
from nrpa.bench.statistics import cell
from nrpa.io.source import bundled
from nrpa.registry import problem_class
from nrpa.search.curve import CLOCKS, WALL

HERE = Path(__file__).resolve().parent
MISSED_WINDOW = 1e6

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
        return found.best_known.value if found and found.best_known else self.best


@click.command(help=__doc__)
@click.option("--toml", type=Path, default=HERE / "which-solver.toml")
@click.option("--time", type=float, help="Seconds a run, in place of the file's.")
@click.option("--clock", type=click.Choice(CLOCKS), help="What seconds are, in place of the file's.")
@click.option("--runs", type=int, help="Runs of each solver on each instance, in place of the file's.")
@click.option("--workers", default=1, help="Runs at once.")
@click.option("--out", type=Path, help="The folder of the records.")
def main(toml: Path, time: float | None, clock: str | None, runs: int | None, workers: int, out: Path | None) -> None:
    """Run what is missing, and print the tables."""
    content = read_toml(toml)
    columns = columns_of(content, runs)
    time, clock = time or content["time"], clock or content.get("clock", WALL)
    out = (out or HERE / "results" / toml.stem).resolve()
    out.mkdir(parents=True, exist_ok=True)
    os.chdir(toml.resolve().parent)  # where the paths of problems and instances begin
    given = {name: of_variant for table in content["tables"].values() for name, of_variant in table.items()}
    variants = tuple(Variant.from_options(name, of_variant) for name, of_variant in given.items())
    for problem in dict.fromkeys(column.problem for column in columns):
        mine = [column for column in columns if column.problem == problem]
        instances = tuple(column.instance for column in mine)
        experiment = Experiment(problem, instances, variants, mine[0].runs, time, seed=content["seed"], clock=clock)
        run_experiment(experiment, record_path(out, problem, time), workers=workers)
    print("\n".join(tables_of(content, columns, out, time).values()))


def columns_of(content: Mapping[str, Any], runs: int | None = None) -> list[Column]:
    """Return the columns, each with its runs."""
    return [Column(**{**given, "runs": runs or given.get("runs", content["runs"])}) for given in content["columns"]]


def record_path(out: Path, problem: str, time: float) -> Path:
    """Return where the runs of a problem are."""
    return out / f"{problem_class(problem).name}-{time:g}s.csv"


def solvers(toml: str, name: str) -> str:
    """Return a table of a TOML file here, of the records in its own folder."""
    content, out = read_toml(HERE / toml), HERE / "results" / Path(toml).stem
    with chdir(HERE):
        return tables_of(content, columns_of(content), out, content["time"])[name]


def tables_of(content: Mapping[str, Any], columns: Sequence[Column], out: Path, time: float) -> dict[str, str]:
    """Return each table, as the records have it."""
    scores: Scores = defaultdict(dict)
    for column in columns:
        seeds = range(content["seed"], content["seed"] + column.runs)
        for row in read_records(record_path(out, column.problem, time)).rows:
            if row.instance == column.instance and row.seed in seeds and row.mark >= time * (1 - 1e-9):
                scores[column.problem, row.instance, row.variant][row.seed] = row.score
    return {name: table_text(name, columns, list(table), scores) for name, table in content["tables"].items()}


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of the file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def table_text(name: str, columns: Sequence[Column], variants: Sequence[str], scores: Scores) -> str:
    """Return a table in Markdown: a column for each variant, the best means bold, the mean of the ranks below."""
    means = np.array(
        [[np.mean([*scores[c.problem, c.instance, variant].values()]) for variant in variants] for c in columns]
    )
    lines = [[name, *variants, "*best known*"]]
    for column, mine in zip(columns, means, strict=True):
        texts = []
        for variant, mean in zip(variants, mine, strict=True):
            text = cell_text(column.problem, [*scores[column.problem, column.instance, variant].values()])
            texts.append(f"**{text}**" if mean == mine.max() else text)
        known = column.best_known()
        lines.append([column.title, *texts, "" if known is None else f"*{known:,g}*"])
    ranks = rankdata(-means, axis=1).mean(axis=0)
    lines.append(["mean rank", *(f"{rank:.1f}" for rank in ranks), ""])
    return markdown(lines)


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


if __name__ == "__main__":
    run(main)
