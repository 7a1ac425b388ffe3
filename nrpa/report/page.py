"""An experiment as one page of HTML: variants and machine, tables, curves, the best solutions."""

from __future__ import annotations

import base64
import json
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nrpa import __version__
from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.options import words_of
from nrpa.base.values import plain, positive, whole
from nrpa.bench.description import description_path
from nrpa.bench.records import BestRun, Record, Records, best_path, playouts_path, read_best, read_records
from nrpa.bench.table import (
    bound_text,
    difference_table,
    least_score,
    mean_table,
    names,
    require_variant,
    share_table,
    standing,
)
from nrpa.io.files import is_file, read_json
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots import anytime, time_to_target
from nrpa.plots.panels import panels_of
from nrpa.plots.picture import Axes, new_axes, rendered, require_scored
from nrpa.plots.results import reread
from nrpa.registry import problem_class, problems
from nrpa.search.curve import of_clock
from nrpa.search.result import Result, comparison, figure_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

jinja2 = lazy("jinja2")

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
    found = Solution(run.variant, result.seed, playouts, _command(experiment, first, playouts, result.problem))
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


def _command(experiment: dict[str, Any], row: Record, playouts: int, name: str = "") -> str:
    """Return the command that finds what a run found; ``name`` is the problem's, if it is known."""
    options = {"solver": "gnrpa", **experiment.get("variants", {}).get(row.variant, {})}
    words = ["nrpa", "solve", str(experiment.get("problem", ""))]
    # A problem that reads no instances is recorded as an instance of its name.
    if row.instance in experiment.get("instances", {}) and row.instance != (name or words[-1].rpartition(":")[2]):
        words.append(row.instance)
    return shlex.join([*words, *words_of({**options, "seed": row.seed, "playouts": playouts})])


def report(
    path: str | os.PathLike[str],
    *,
    versus: str | None = None,
    target: float | Sequence[float] | None = None,
    problem: str | None = None,
) -> str:
    """Return an experiment as one page of HTML that needs nothing else: no network, no script, no other file.

    Parameters
    ----------
    path : str or path-like
        The records, ``NAME.csv``, that ``nrpa bench`` wrote. What lies beside them is read as well.
    versus : str, optional
        The variant that the others are compared with; the first one if it is not given.
    target : float, optional
        A value in the problem's own terms: the page then also shows which share of the runs has reached it.
    problem : str, optional
        ``path/to/file.py:Class`` of a problem of your own. It is imported, and nothing else ever is; without it, its
        solutions are shown as text.

    Returns
    -------
    str
        The page. The same files give the same page.

    Raises
    ------
    InputError
        If the records or the description beside them cannot be read, there is no such variant, or the target has
        another sign than all values of the runs.
    """
    description = _description(description_path(path))
    experiment = description["experiment"]
    main, *others = _records(path, experiment)
    variants = names(main.rows, "variant")
    base = variants[0] if versus is None else versus
    require_variant(main.rows, base)
    if target is not None:
        least_score(main.rows, target, main.objective)
    kept = read_best(best_path(description_path(path)))
    hashes = experiment["instances"]
    sections = []
    for name in names(main.rows, "instance"):
        of_axes = [
            records._replace(rows=[row for row in records.rows if row.instance == name]) for records in (main, *others)
        ]
        parts = [_part(records, name, base, target) for records in of_axes if records.rows]
        of_name = [run for run in kept if run.instance == name]
        best = best_solution(of_axes[0].rows, of_name, experiment, problem)
        sections.append({"name": name, "sha256": hashes.get(name, ""), "parts": parts, "best": best})
    name_of = str(experiment.get("problem", "experiment")).rpartition(":")[2]
    loader = jinja2.PackageLoader("nrpa.report", "")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    page: str = environment.get_template("page.html.jinja").render(
        title=f"{name_of}: {_counted(len(variants), 'variant')} on {_counted(len(sections), 'instance')}",
        file=Path(path).name,
        standing=standing(main.rows, main.unit, base),
        facts=_facts(main, description),
        variants=[
            (name, str(given.get("solver", "")), ", ".join(f"{k} {v}" for k, v in given.items() if k != "solver"))
            for name, given in experiment["variants"].items()
        ],
        sections=sections,
        version=__version__,
    )
    # JSON may hold halves of letters, which no file can.
    return page.encode(errors="replace").decode()


def _description(path: Path) -> dict[str, Any]:
    expected = "the description of an experiment that `nrpa bench` wrote"
    if not is_file(path):
        raise InputError(f"{path}: no such file; expected {expected}, beside the CSV")
    try:
        description = dict(read_json(path))
        experiment = dict(description["experiment"])
        for kind in ("instances", "variants"):
            experiment[kind] = dict(experiment[kind])
        options = {name: dict(of_variant) for name, of_variant in experiment["variants"].items()}
        machine, versions = (dict(description.get(key) or {}) for key in ("machine", "versions"))
    except (ValueError, LookupError, TypeError):
        raise InputError(f"{path}: is not {expected}") from None
    experiment["variants"] = options
    for name, checked in (("time", positive), ("playouts", whole)):
        if experiment.get(name) is not None:
            try:
                experiment[name] = checked(name, experiment[name])
            except InputError as error:
                raise InputError(f"{path}: {error}") from None
    return {"experiment": experiment, "machine": machine, "versions": versions}


def _records(path: str | os.PathLike[str], experiment: dict[str, Any]) -> list[Records]:
    """Return the records by seconds and by playouts, the budget's own kind first. Raises InputError for no run."""
    given = read_records(path)
    seconds = description_path(path).with_suffix(Path(path).suffix)
    both = [each for each in (seconds, playouts_path(seconds)) if is_file(each)]
    found = [records for records in map(read_records, both) if records.rows] or [given]
    if not found[0].rows:
        raise InputError(f"{path}: holds no run; expected lines below the header")
    own = "seconds" if experiment.get("time") is not None else "playouts"
    return sorted(found, key=lambda records: records.axis != own)


def _part(records: Records, name: str, base: str, target: float | Sequence[float] | None) -> dict[str, Any]:
    """Return what a page shows of an instance by seconds, or by playouts."""
    variants, axis = names(records.rows, "variant"), records.unit
    pictures = [embedded(anytime(records), f"{name}: the curves of {', '.join(variants)} over {axis}")]
    tables = [mean_table(records.rows, axis, None, records.objective)]
    if len(variants) > 1 and base in variants:
        found = difference_table(records.rows, axis, base, False, None, records.objective)
        if lines := [line for line in found.lines if {*line[1:]} != {"-"}]:
            tables.append(found._replace(lines=lines))
    if target is not None:
        bound = bound_text(target, records.objective)
        reached = time_to_target(records, target, instance=name)
        pictures.append(embedded(reached, f"{name}: which share of the runs had {bound}, over {axis}"))
        tables.append(share_table(records.rows, axis, target, records.objective))
    return {"axis": axis, "pictures": pictures, "tables": tables}


def _facts(records: Records, description: dict[str, Any]) -> list[tuple[str, str]]:
    experiment, machine = description["experiment"], description["machine"]
    seeds = sorted({row.seed for row in records.rows})
    rows: Iterable[tuple[str, Any]] = [
        ("problem", experiment.get("problem")),
        ("figures", _objective_text(records)),
        ("budget of a run", _budget(experiment)),
        ("runs", f"{len({row.run for row in records.rows}):,}, seeds {_ranges(seeds)}"),
        ("processor", machine.get("processor")),
        ("cores", machine.get("cores")),
        ("versions", ", ".join(f"{name} {version}" for name, version in description["versions"].items())),
    ]
    return [(name, str(value)) for name, value in rows if value not in (None, "")]


def _objective_text(records: Records) -> str:
    if records.objective is None:
        return "scores, which the search maximises; the records do not say what the problem calls them"
    parts = getattr(records.objective, "parts", [records.objective])
    return ", then ".join(f"{part.name}, {'less' if part.sign < 0 else 'more'} is better" for part in parts)


def _budget(experiment: dict[str, Any]) -> str:
    if experiment.get("time") is not None:
        return f"{experiment['time']:g} s{of_clock(str(experiment.get('clock')))}"
    playouts = experiment.get("playouts")
    return "" if playouts is None else f"{playouts:,} playouts"


def _ranges(seeds: Sequence[int]) -> str:
    """Return whole numbers as text, those that follow each other as a range.

    >>> _ranges([1, 2, 3, 7])
    '1 to 3, 7'
    """
    ends: list[list[int]] = []
    for seed in seeds:
        if ends and seed == ends[-1][1] + 1:
            ends[-1][1] = seed
        else:
            ends.append([seed, seed])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in ends)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
