"""The tables and the picture of how cost grows, of the record that measure.py writes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from tables import markdown

Row = Mapping[str, str]
Rows = Sequence[Row]

KEYS = ("problem", "size", "by", "seconds", "clock", "workers")
COLUMNS = (
    *KEYS,
    "outcome",
    *("before", "read", "setup", "first", "first_value", "playout", "longest", "playouts", "took", "wall", "memory"),
    *("valid", "value", "vehicles", "bound", "status", "interrupted", "saving", "file", "memory_saving"),
)
PROBLEMS = {
    "tsptw": "cities",
    "vrptw": "customers",
    "binpacking": "items",
    "coloring": "nodes, 20 neighbours",
    "dense": "nodes, p = 0.1",
    "rna": "letters",
    "fold": "letters",
    "samegame": "cells",
    "snake": "vertices",
    "permutation": "things in order",
    "wide": "moves a step",
    "long": "steps",
}
"""What the problems grow in."""

ELEMENTS: dict[str, Callable[[int], int]] = {
    "samegame": lambda side: side**2,
    "snake": lambda dimensions: 2**dimensions,
}
FIGURES: dict[str, tuple[str, Callable[[Row], float]]] = {
    "setup": ("read and set up [s]", lambda row: number(row, "read") + number(row, "setup")),
    "first": ("first answer [s]", lambda row: number(row, "first")),
    "playout": ("a playout [s]", lambda row: number(row, "playout")),
    "memory": ("memory over that of Python and numba [MB]", lambda row: number(row, "memory") - number(row, "before")),
}
NRPA, DONE = "nrpa", "done"
DIGITS = {"rna": 4, "eterna": 4, "fold": 1}
QUALITY = "quality"
LEAST_MB = 5.0  # less is that of other things


def elements(row: Row) -> int:
    """Return how many elements an instance has: cells of a board, vertices of a cube; else its size."""
    size = int(row["size"])
    return ELEMENTS.get(row["problem"], int)(size)


def of_one(rows: Rows, seconds: str) -> list[Row]:
    """Return the rows of one worker and of the peers for a limit, in the order of problems and sizes."""
    kept = [row for row in rows if row["clock"] == "processor" and row["seconds"] == seconds]
    order = list(PROBLEMS)
    return sorted(kept, key=lambda row: (order.index(row["problem"]), int(row["size"])))


def short(value: float) -> str:
    """Return a number with two digits, or whole; nothing for nan."""
    return "" if math.isnan(value) else f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def answer(row: Row | None) -> str:
    """Return the value of a row, or why there is none."""
    if row is None:
        return ""
    if not row["value"]:
        return row["outcome"] if row["outcome"] != DONE else "none"
    text = value_text(row, "value")
    return text if row["valid"] == "yes" else f"{text} (not valid)"


def value_text(row: Row, name: str) -> str:
    """Return a value; of vehicles, how many and their distance."""
    value = number(row, name)
    if name == "value" and row["vehicles"]:
        vehicles = int(row["vehicles"])
        cost = 10.0 ** math.floor(math.log10(value / vehicles))
        return f"{vehicles:,} / {value - cost * vehicles:,.0f}"
    return "" if math.isnan(value) else f"{value:,.{DIGITS.get(row['problem'], 0)}f}"


def costs(rows: Rows, seconds: str) -> str:
    """Return the table of what a search takes at each size."""
    lines = [
        ["problem", "size", "read and set up", "first answer", "a playout", "longest slice", "all", "Ctrl-C", "MB"]
    ]
    for row in of_one(rows, seconds):
        if row["by"] == NRPA:
            setup, first, playout = (FIGURES[name][1](row) for name in ("setup", "first", "playout"))
            others = (number(row, name) for name in ("longest", "took", "interrupted", "memory"))
            texts = map(short, (setup, first, playout, *others))
            lines.append([row["problem"], f"{int(row['size']):,}", *texts])
    return markdown(lines)


def answers(rows: Rows, seconds: str) -> str:
    """Return the table of the answers: the first, the last, the lower bound, the peer's."""
    lines = [["problem", "size", "first", f"after {seconds} s", "bound", "peer", "its answer", "in", "over it"]]
    kept = of_one(rows, seconds)
    for row in (row for row in kept if row["by"] == NRPA):
        peer = peer_of(kept, row)
        over = f"{quality(kept, row):.3f}" if peer and not math.isnan(quality(kept, row)) else ""
        beside = [peer["by"], answer(peer), short(number(peer, "took"))] if peer else ["", "", ""]
        texts = value_text(row, "first_value"), answer(row), value_text(row, "bound"), *beside, over
        lines.append([row["problem"], f"{int(row['size']):,}", *texts])
    return markdown(lines)


def peer_of(rows: Rows, row: Row) -> Row | None:
    """Return the peer's row for the same instance."""
    return next((each for each in rows if each["by"] not in (NRPA, row["by"]) and same(each, row)), None)


def quality(rows: Rows, row: Row) -> float:
    """Return the value over the peer's, or over the lower bound of bins; 1 is level, more is worse."""
    peer = peer_of(rows, row)
    beside = number(row, "bound") if row["problem"] == "binpacking" else number(peer, "value") if peer else math.nan
    return 1 + (number(row, "value") - beside) / abs(beside)


def same(one: Row, other: Row) -> bool:
    """Return whether two rows are of one instance."""
    return (one["problem"], one["size"]) == (other["problem"], other["size"])


def number(row: Row, name: str) -> float:
    """Return a column as a number, nan where it is empty."""
    return float(row[name] or "nan") if row[name] != "None" else math.nan


def points(rows: Rows, seconds: str, problem: str, name: str) -> np.ndarray:
    """Return the elements and a figure, or the quality, of each size at which a problem was solved."""
    kept = [row for row in of_one(rows, seconds) if row["problem"] == problem]
    mine = [row for row in kept if row["by"] == NRPA and row["value"]]
    found = [(elements(row), quality(kept, row) if name == QUALITY else FIGURES[name][1](row)) for row in mine]
    least = LEAST_MB if name == "memory" else 0.0
    return np.array([point for point in found if point[1] > least]).reshape(-1, 2)


def exponents(rows: Rows, seconds: str) -> str:
    """Return the table of the exponents: the slopes of the figures over the elements, log by log."""
    lines = [["problem", "grows in", "from", "to", "read and set up", "first answer", "a playout", "memory"]]
    for problem, unit in PROBLEMS.items():
        found = {name: points(rows, seconds, problem, name) for name in FIGURES}
        counts = found["playout"][:, 0]
        if len(counts) > 1:
            slopes = (slope(each) for each in found.values())
            lines.append([problem, unit, f"{counts.min():,.0f}", f"{counts.max():,.0f}", *slopes])
    return markdown(lines)


def slope(points: np.ndarray) -> str:
    """Return the exponent of a power law through points, empty where there are fewer than two."""
    return f"{np.polyfit(*np.log(points.T), 1)[0]:.1f}" if len(points) > 1 else ""


def speedups(rows: Rows, seconds: str) -> str:
    """Return the table of several workers: playouts a second over those of one, and the answers after equal time."""
    kept = [row for row in rows if row["clock"] == "wall" and row["seconds"] == seconds]
    lines = [["problem", "size", "workers", "playouts/s", "over one worker", "answer"]]
    for row in kept:
        base = next((each for each in kept if same(each, row) and each["workers"] == "1"), row)
        workers = row["workers"] + ("" if row["by"] == NRPA else ", Dask")
        over = "" if math.isnan(rate(row) / rate(base)) else f"{rate(row) / rate(base):.2f}"
        lines.append([row["problem"], row["size"], workers, short(rate(row)), over, answer(row)])
    return markdown(lines)


def rate(row: Row) -> float:
    """Return the playouts a second."""
    return number(row, "playouts") / number(row, "wall")


def checkpoints(rows: Rows, seconds: str) -> str:
    """Return the table of the checkpoints of the largest sizes: MB, seconds to write, memory before and with it."""
    lines = [["problem", "size", "MB", "seconds to write", "memory before", "with it"]]
    largest = {row["problem"]: row for row in of_one(rows, seconds) if row["file"]}
    for problem, row in largest.items():
        texts = (short(number(row, name)) for name in ("file", "saving", "memory", "memory_saving"))
        lines.append([problem, f"{int(row['size']):,}", *texts])
    return markdown(lines)


def drawn_curves(rows: Rows, path: Path, seconds: str) -> None:
    """Draw the figures over the elements, log by log, a line for each problem; as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams |= {"svg.hashsalt": "growth", "svg.fonttype": "none"}
    titles = {name: title for name, (title, _) in FIGURES.items()} | {QUALITY: "answer over the peer's, or the bound"}
    picture = Figure(figsize=(10, 11), layout="constrained")
    panels = picture.subplots(3, 2, sharex=True).flatten()
    for axes, (name, title) in zip(panels, titles.items(), strict=False):
        for k, problem in enumerate(PROBLEMS):
            found = points(rows, seconds, problem, name)
            axes.loglog(
                *found.T, label=problem, color=f"C{k % 10}", marker="os^DvPX"[k % 7], ls="-" if k < 10 else "--", ms=4
            )
        axes.set_yscale("linear" if name == QUALITY else "log")
        axes.set_title(title, fontsize="medium")
        axes.set_xlabel("elements")
        axes.tick_params(labelbottom=True)
        axes.grid(alpha=0.3)
    panels[-1].axis("off")
    panels[-1].legend(*panels[0].get_legend_handles_labels(), loc="center", ncols=2, frameon=False)
    picture.savefig(path, metadata={"Date": None})


SHOWN: dict[str, Callable[[Rows, str], str]] = {
    each.__name__: each for each in (costs, answers, exponents, speedups, checkpoints)
}
