"""Pictures in a page; the best solution of an instance: its figures, and the command that finds it again."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.options import words_of
from nrpa.base.plain import plain
from nrpa.bench.records import BestRun, Record
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.panels import panels_of
from nrpa.plots.picture import new_axes, rendered, require_scored
from nrpa.plots.results import reread
from nrpa.registry import problem_class, problems
from nrpa.search.figures import comparison, figure_text
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST_SOLUTION = 20_000
LARGEST_SVG = 300_000
PANEL_INCHES = (5.0, 4.6)


class Picture(NamedTuple):
    """A picture in a page: itself as a ``data:`` address, and what it shows, for readers who do not see it."""

    source: str
    text: str


def embedded(axes: Axes, text: str) -> Picture:
    """Return a figure as a picture in a page: SVG, sharp at any size; PNG where that would be very large."""
    kind, data = "svg+xml", rendered(axes, "svg")
    if len(data) > LARGEST_SVG:
        kind, data = "png", rendered(axes, "png")
    return Picture(f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}", text)


@dataclass
class Solution:
    """What a page shows of the best run on an instance; ``notes`` say what it cannot show, and why."""

    variant: str
    seed: int
    playouts: int
    command: str = ""
    figures: list[tuple[str, str]] = field(default_factory=list)
    best_known: str = ""
    pictures: list[Picture] = field(default_factory=list)
    text: str = ""
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def best_solution(
    rows: Sequence[Record], kept: Sequence[BestRun], experiment: dict[str, Any], problem: str | None
) -> Solution:
    """Return the best solution of an instance."""
    top = max(rows, key=lambda row: (row.score, -row.seed, row.playouts))
    run = max(kept, key=lambda run: run.result.score, default=None)
    if run is None:
        playouts = max(row.playouts for row in rows if row.run == top.run)
        found = Solution(top.variant, top.seed, playouts, _command(experiment, top, playouts))
        found.notes.append("No solution was kept: the records are of an older version. The command finds it again.")
        return found
    result = run.result
    playouts = result.improvements[-1].playouts if result.improvements else result.playouts
    first = Record(run.variant, run.instance, result.seed, 0.0, playouts, result.score)
    found = Solution(run.variant, result.seed, playouts, _command(experiment, first, playouts))
    if result.score < top.score:
        found.notes.append(f"A better one was found by {top.variant}, seed {top.seed}, before solutions were kept.")
    text = json.dumps(result.solution)
    found.text = text if len(text) <= LONGEST_SOLUTION else f"{text[:LONGEST_SOLUTION]} ..."
    found.figures = [(name, figure_text(result.objective, name, value)) for name, value in result.figures.items()]
    _draw(found, run, result, problem)
    return found


def _draw(found: Solution, run: BestRun, result: Result, problem: str | None) -> None:
    """Read the problem again, check the solution and draw it; where that fails, add a note that says why."""
    try:
        read = reread(result, _instance(run, problem), problem)
        verdict = read.check(result.solution)
        found.faults = list(verdict.faults)
        found.figures = [
            (name, figure_text(read.objective, name, value)) for name, value in plain(verdict.figures).items()
        ]
        found.best_known = comparison(read, result.score)
        text = f"Best solution of {run.instance}, found by {run.variant} with seed {result.seed}"
        require_scored(read, result.solution)
        found.pictures = [embedded(axes, text) for axes in _panels(read, result.solution)]
    except (InputError, ProblemError) as error:
        found.notes.append(f"No picture: {error}.")


def _instance(run: BestRun, problem: str | None) -> str | None:
    """Return what the instance is called; None where the problem is not known here, or reads none."""
    name = run.result.problem if problem is None else problem
    is_known = problem is not None or name in problems.entries()
    return run.instance if is_known and problem_class(name).reads_instances() else None


def _panels(problem: BaseProblem, solution: Any) -> Iterator[Axes]:
    """Yield each panel in its own figure, so that a narrow page shows one below the other."""
    panels = panels_of(problem)
    for panel in panels:
        axes = new_axes()
        if len(panels) > 1:
            cast("Figure", axes.figure).set_size_inches(PANEL_INCHES)
        panel(problem, solution, axes)
        yield axes


def _command(experiment: dict[str, Any], row: Record, playouts: int) -> str:
    """Return the command that repeats a run, up to so many playouts."""
    options = {"solver": "gnrpa", **experiment.get("variants", {}).get(row.variant, {})}
    words = ["nrpa", "solve", str(experiment.get("problem", ""))]
    if row.instance in experiment.get("instances", {}) and row.instance != words[-1].rpartition(":")[2]:
        words.append(row.instance)
    return shlex.join([*words, *words_of({**options, "seed": row.seed, "playouts": playouts})])
