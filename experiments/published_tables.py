"""What is found on problems of the literature, beside the figures published: the tables of docs/problems/.

    python experiments/published_tables.py coloring snake schur vrptw conjecture --csv experiments/published.csv

Each line of a table is one search, cut after so many playouts (--times multiplies them) and checked by the problem's
own check; a row each goes into the table --csv, with the processor seconds that it took, and the same command goes on
where it was stopped. The solver is auto, on conjectures NRPA of level 2 with N = 30. With --pyvrp SECONDS, PyVRP solves
the instances of vrptw as well, so many seconds each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.values import whole
from nrpa.registry import problem_class

HERE = Path(__file__).resolve().parent
COLUMNS = ("problem", "instance", "options", "solver", "seed", "playouts", "processor", "value", "figures")


class Line(NamedTuple):
    """A line of a table.

    Attributes
    ----------
    problem, instance : str
        As at the command line.
    options : dict
        Of the problem.
    playouts : int
        After which the search ends.
    published : dict of str
        Figures of others, by who found them.
    """

    problem: str
    instance: str
    options: Mapping[str, Any]
    playouts: int
    published: Mapping[str, str]


# Nodes and colours: NMCS, NRPA and HEAD as in Cazenave, Negrevergne and Sikora (2020), five runs of 30 minutes each.
COLOURS = {
    "DSJC125.5": ("19", "18", "17", 10_000),
    "DSJC250.5": ("34", "32", "28", 10_000),
    "DSJC500.5": ("62", "59", "48", 3_000),
    "DSJR500.5": ("125", "122", "124", 3_000),
    "flat300_28_0": ("38", "35", "31", 6_000),
    "le450_15c": ("22", "21", "15", 3_000),
    "le450_25c": ("27", "26", "26", 3_000),
}
EDGES = {7: 5_000_000, 8: 5_000_000, 9: 3_000_000, 10: 1_500_000}
NUMBERS = {4: 300_000, 5: 600_000, 6: 200_000, 7: 60_000, 8: 20_000, 9: 10_000}
ROUTES = ("c101", "c104", "r101", "r103", "r105", "r109", "r112", "rc101", "rc104", "rc108")
VERTICES = (19, 20, 22)


def lines(problem: str) -> Iterator[Line]:
    """Yield the lines of a problem's table."""
    if problem == "coloring":
        for name, (nmcs, nrpa_, head, playouts) in COLOURS.items():
            yield Line(problem, name, {}, playouts, {"NMCS": nmcs, "NRPA": nrpa_, "HEAD": head})
    elif problem == "snake":
        for kind in ("", "coil-"):
            for dimensions, playouts in EDGES.items():
                yield Line(problem, f"{kind}{dimensions}", {}, playouts, {})
    elif problem == "schur":
        for parts, playouts in NUMBERS.items():
            for moves in ("all", "repeat"):
                published = {"all": {"NRPA": "473"}, "repeat": {"NRPA": "7,538"}}[moves] if parts == 9 else {}
                yield Line(problem, str(parts), {"moves": moves}, playouts, published)
    elif problem == "vrptw":
        for name in ROUTES:
            yield Line(problem, name, {}, 20_000, {})
    else:
        for vertices in VERTICES:
            yield Line(problem, str(vertices), {}, 20_000, {"gap": "above 0 from 19 vertices on"})


OWN = {"conjecture": "nrpa"}
PROBLEMS = ("coloring", "snake", "schur", "vrptw", "conjecture")


def main() -> None:
    """Run what the table lacks, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help=f"of {', '.join(PROBLEMS)}; all if none is named")
    parser.add_argument("--csv", required=True, type=Path, help="the table; what is in it is not searched again")
    parser.add_argument("--times", type=float, default=1.0, help="times the playouts of each line (default: 1)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--pyvrp", type=float, metavar="SECONDS", help="solve vrptw by PyVRP as well, so long each")
    given = parser.parse_args()
    if unknown := set(given.problems) - set(PROBLEMS):
        raise InputError(f"unknown problem {min(unknown)}; expected some of {', '.join(PROBLEMS)}")
    seed = whole("--seed", int(given.seed) if given.seed.isdecimal() else given.seed, 0)
    done = {key(row): row for row in read_rows(given.csv, COLUMNS)}
    for problem in given.problems or PROBLEMS:
        rows = []
        for line in lines(problem):
            for solver in solvers(problem, given.pyvrp):
                budget = given.pyvrp if solver == "PyVRP" else max(1, round(line.playouts * given.times))
                row = head(line, solver, seed, budget)
                if key(row) not in done:
                    done[key(row)] = row | found(line, solver, seed, budget)
                    append_row(given.csv, done[key(row)])
                rows.append((line, done[key(row)]))
        print("\n" + table(rows) + "\n")


def solvers(problem: str, pyvrp: float | None) -> list[str]:
    """Return the solvers of a problem, by the names in the table."""
    return [OWN.get(problem, "auto"), *(["PyVRP"] if pyvrp and problem == "vrptw" else [])]


def key(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what tells one search from another."""
    return tuple(str(row[column]) for column in COLUMNS[:6])


def head(line: Line, solver: str, seed: int, budget: float) -> dict[str, Any]:
    """Return the first columns of a row; the budget of PyVRP is in seconds."""
    options = " ".join(f"{name}={value}" for name, value in line.options.items())
    text = f"{budget:g}s" if solver == "PyVRP" else budget
    return dict(zip(COLUMNS, (line.problem, line.instance, options, solver, seed, text), strict=False))


def found(line: Line, solver: str, seed: int, budget: float) -> dict[str, Any]:
    """Search, and return the last columns of a row."""
    problem = load(line)
    if solver == "PyVRP":
        from beside_others import pyvrp_answer

        begun = time.process_time()
        value = pyvrp_answer(problem, budget, seed).value
        return {"processor": f"{time.process_time() - begun:.1f}", "value": value, "figures": ""}
    algorithm = nrpa.NRPA(level=2, iterations=30) if solver == "nrpa" else nrpa.Auto()
    nrpa.solve(problem, algorithm, seed=seed, playouts=1)  # machine code counts for no search
    begun = time.process_time()
    result = nrpa.solve(problem, algorithm, seed=seed, playouts=int(budget))
    verdict = problem.check(result.solution)
    if not verdict.valid:
        raise InputError(f"{line.problem} {line.instance}: the solution does not pass the check: {verdict.faults[0]}")
    figures = " ".join(f"{name}={value:.6g}" for name, value in verdict.figures.items())
    value = f"{problem.objective.value(result.score):.10g}"
    return {"processor": f"{time.process_time() - begun:.1f}", "value": value, "figures": figures}


def load(line: Line) -> Any:
    """Return the problem."""
    if line.problem != "conjecture":
        return problem_class(line.problem).load(line.instance, **line.options)
    return problem_class(f"{HERE.parent / 'examples' / 'conjecture.py'}:Conjecture").load(line.instance)


def table(rows: list[tuple[Line, dict[str, Any]]]) -> str:
    """Return a table in Markdown."""
    names = list(dict.fromkeys(name for line, _ in rows for name in line.published))
    titles = ["instance", "options", "solver", "playouts", "processor seconds", "value", "best known", *names]
    text = [f"| {' | '.join(titles)} |", "|" + "---|" * len(titles)]
    for line, row in rows:
        best = getattr(load(line), "best_known", None)
        cells = [line.instance, row["options"], row["solver"], row["playouts"], row["processor"], row["value"]]
        cells += [f"{best.value:.10g}" if best else "", *(line.published.get(name, "") for name in names)]
        text.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(text)


if __name__ == "__main__":
    run(main)
