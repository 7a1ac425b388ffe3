"""The figures of docs/results.md are those of the records."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import nrpa
from nrpa.bench.records import read_records
from nrpa.io.source import bundled

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "experiments" / "results"
PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def rows_of(name):
    with (RESULTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tsptw():
    """Count what reaches the best known; the best tour of each instance does, by the independent check."""
    for each in json.loads((RESULTS / "tsptw.best.json").read_text(encoding="utf-8"))["best"]:
        problem = nrpa.TSPTW.load(each["instance"])
        verdict = problem.check(each["result"]["solution"])
        assert verdict.valid
        assert verdict.figures["cost"] <= problem.best_known.value + 0.005
    reached = [row["instance"] for row in rows_of("tsptw.runs") if row["status"] == "target"]
    number = len(bundled("tsptw"))
    return f"best known on {len(set(reached))} of {number} ({len(reached)} of {2 * number} runs)"


def makespan():
    """Count the instances on which all seeds agree; each best tour is one, by the independent check."""
    last = {}
    for row in read_records(RESULTS / "tsptw-makespan.csv").rows:
        last.setdefault(row.instance, {})[row.seed] = round(row.score, 4)
    agreed = [name for name, scores in last.items() if len(set(scores.values())) == 1]
    proven = 0
    for each in json.loads((RESULTS / "tsptw-makespan.best.json").read_text(encoding="utf-8"))["best"]:
        problem = nrpa.TSPTW.load(each["instance"], minimize="makespan")
        verdict = problem.check(each["result"]["solution"])
        assert verdict.valid
        assert round(verdict.score, 4) == max(last[each["instance"]].values())
        proven += np.isclose(-verdict.score, problem.bound())
    return f"one value for all seeds on {len(agreed)} of {len(last)}, {proven} of them proven"


def vrptw():
    """Count the vehicles of the record; each plan keeps all windows, by the independent check."""
    for each in json.loads((RESULTS / "vrptw.best.json").read_text(encoding="utf-8"))["best"]:
        verdict = nrpa.VRPTW.load(each["instance"]).check(each["result"]["solution"])
        assert verdict.valid
        assert verdict.score == pytest.approx(each["result"]["score"])
    last = {row.instance: -row.score for row in read_records(RESULTS / "vrptw.csv").rows}
    known = {name: bundled("vrptw")[name].best_known.value for name in last}
    equal = [name for name in last if last[name] // 10_000 == known[name] // 10_000]
    gap = sum((last[name] % 10_000) / (known[name] % 10_000) - 1 for name in equal) / len(equal)
    return f"vehicles as the best known on {len(equal)}; there {100 * gap:.2f} % longer"


def samegame():
    """Add the points up that the games of the best solutions have, by the independent check, and those before."""
    best = json.loads((RESULTS / "samegame-20-minutes.best.json").read_text(encoding="utf-8"))["best"]
    assert len(best) == 20
    points = [nrpa.SameGame.load(each["instance"]).check(each["result"]["solution"]).score for each in best]
    before = sum(int(row["points"]) for row in rows_of("samegame-tempering"))
    return f"{sum(points):,.0f} points; {before:,} by older code"


def morpion_5t():
    moves = [int(row["moves"]) for row in rows_of("morpion-tempering") if row["variant"] == "5T"]
    return f"{sum(moves) / len(moves):.1f} moves in the mean, {max(moves)} at best"


def morpion_5d():
    moves = [int(row["moves"]) for row in rows_of("morpion-tempering") if row["variant"] == "5D"]
    later = [[row["value"] for row in rows_of(name)] for name in ("morpion-5D.runs", "morpion-5D-auto.runs")]
    counts = [(moves.count(82), len(moves)), *((values.count("82.0"), len(values)) for values in later)]
    return "82 moves in {} of {}, again in {} of {} and {} of {}".format(*(n for pair in counts for n in pair))


def rna():
    """Count the designs of the records that fold into their targets, by the independent check."""
    pytest.importorskip("RNA")
    solved = []
    for name, parameters in (("v1-minute", "turner1999"), ("v2-minute", "turner2004"), ("v1-again", "turner1999")):
        text = (RESULTS / f"eterna-{name}.best.json").read_text(encoding="utf-8")
        found = {each["instance"]: each["result"]["solution"] for each in json.loads(text)["best"]}
        problems = {name: nrpa.InverseFolding.load(name, parameters=parameters) for name in found}
        solved.append({name for name in found if problems[name].check(found[name]).figures.get("distance") == 0})
    others = {row["target"] for name in ("eterna-v1", "eterna-v1-hour") for row in rows_of(name) if solves(row)}
    first, second, again = solved
    any_run = first | again | others
    return f"V1: {len(first)} of 100, {len(again)} in another run, {len(any_run)} in some; V2: {len(second)}"


def solves(row):
    """Return whether the sequence of a row folds into its target, by the independent check."""
    problem = nrpa.InverseFolding.load(row["target"], parameters="turner1999")
    return problem.check(row["sequence"]).figures.get("distance") == 0


def binpacking():
    rows = rows_of("binpacking-auto")
    assert len(rows) == 160
    assert all(row["bins"] == row["optimum"] for row in rows)
    return "all optimal"


def hard28():
    """Count the packings of the record that are as good as known; each is one, by the independent check."""
    best = json.loads((RESULTS / "binpacking-hard28.best.json").read_text(encoding="utf-8"))["best"]
    assert len(best) == 28
    optimal = 0
    for each in best:
        problem = nrpa.BinPacking.load(each["instance"])
        optimal += problem.check(each["result"]["solution"]).figures["bins"] == problem.best_known.value
    again = sum(row["status"] != "time" for row in rows_of("binpacking-hard28-again.runs"))
    return f"{optimal} optimal; again, {again}"


def coloring():
    """Return the fewest colours; each best colouring is one, by the independent check."""
    for each in json.loads((RESULTS / "coloring.best.json").read_text(encoding="utf-8"))["best"]:
        assert nrpa.Coloring.load(each["instance"]).check(each["result"]["solution"]).valid
    rows = rows_of("coloring.runs")
    best = [min(float(row["value"]) for row in rows if row["instance"] == name) for name in GRAPHS]
    return f"{', '.join(f'{each:.0f}' for each in best)} colours at best"


def coloring_1000():
    last = {row.instance: -row.score for row in read_records(RESULTS / "coloring-1000.csv").rows}
    return f"{', '.join(f'{int(score)}' for score in last.values())} colours"


def most_edges(coil):
    """Return the most edges; each best path is one, by the independent check."""
    most = []
    for dimensions in (7, 8, 9):
        best = json.loads((RESULTS / f"snake-{dimensions}.best.json").read_text(encoding="utf-8"))["best"]
        path = next(each["result"]["solution"] for each in best if each["instance"].startswith("coil") == coil)
        verdict = nrpa.Snake(dimensions, coil).check(path)
        assert verdict.valid
        most.append(f"{verdict.score:.0f}")
    return ", ".join(most)


def routes_of_1000():
    """Count the vehicles, each of which counts a million."""
    rows = csv.DictReader((RESULTS / "problems" / "vrptw.csv").read_text(encoding="utf-8").splitlines())
    found = [float(row["value"]) // 1e6 for row in rows if row["by"] == "nrpa"]
    return f"{', '.join(f'{each:.0f}' for each in found)} vehicles"


def jobshop():
    """Return how much longer than the best known the schedules of Taillard's job shops are in the mean."""
    rows = list(csv.DictReader((RESULTS / "problems" / "jobshop.csv").read_text(encoding="utf-8").splitlines()))
    found = [row for row in rows if row["instance"].startswith("ta") and row["by"] == "nrpa"]
    assert len(found) == 10
    gaps = [float(row["value"]) / float(row["best_known"]) - 1 for row in found]
    return f"{100 * sum(gaps) / len(gaps):.2f} % over the best known in the mean"


def boxes():
    """Return how much is filled in the mean of the 14 containers."""
    rows = list(csv.DictReader((RESULTS / "problems" / "boxes.csv").read_text(encoding="utf-8").splitlines()))
    found = [float(row["value"]) for row in rows if (row["by"], row["seconds"]) == ("nrpa", "10")]
    assert len(found) == 14
    return f"{sum(found) / len(found):.2f} % filled in the mean"


def snakes():
    return most_edges(coil=False)


def coils():
    return most_edges(coil=True)


GRAPHS = "DSJC500.5", "flat300_28_0", "DSJC250.5", "le450_15c"
FIGURES = (
    coloring,
    coloring_1000,
    tsptw,
    makespan,
    vrptw,
    routes_of_1000,
    samegame,
    morpion_5t,
    morpion_5d,
    rna,
    binpacking,
    hard28,
    jobshop,
    boxes,
    snakes,
    coils,
)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.__name__)
def test_a_figure_is_that_of_the_record(figure):
    assert f"| {figure()} |" in PAGE


@pytest.mark.parametrize("coil", [False, True], ids=["snake", "coil"])
@pytest.mark.parametrize("dimensions", [8, 9])
def test_paths_of_the_record_are_as_long_as_it_says(dimensions, coil):
    """Each is one, by the independent check."""
    problem, kind = nrpa.Snake(dimensions, coil), "coil" if coil else "snake"
    rows = [row for row in rows_of("snakes") if (row["dimensions"], row["kind"]) == (str(dimensions), kind)]
    assert rows
    for row in rows:
        assert problem.check(problem.parse_solution(row["path"])).score == int(row["edges"])


def test_points_at_the_marks_are_those_of_the_record():
    """Summed over the boards."""
    page = (ROOT / "experiments" / "samegame.md").read_text(encoding="utf-8")
    for mark in (5.12, 10.24, 20.48, 40.96, 81.92):
        points = sum(int(float(row["score"])) for row in rows_of("samegame-minutes") if float(row["seconds"]) == mark)
        assert f"{points:,} after {mark}" in page


@pytest.mark.parametrize("name", ["morpion", "samegame"])
def test_games_that_tempering_found_are_legal(name):
    """Each has as many moves, or points, as its row says."""
    rows = rows_of(f"{name}-tempering")
    assert rows
    for row in rows:
        problem = nrpa.Morpion(row["variant"]) if name == "morpion" else nrpa.SameGame.load(row["board"])
        verdict = problem.check(json.loads(row["solution"]))
        assert verdict.valid, row
        assert verdict.score == int(row["moves" if name == "morpion" else "points"])
